import type { SessionStore, StoredSession } from "../../sessions/session-store.js";
import type { Database } from "../database/open-database.js";
import type { Tables } from "../database/schema/tables.js";

/** Sessions, in a table that all replicas share. It is bounded: the next sign-in deletes expired ones. */
export function createSessionStore({ kysely }: Database): SessionStore {
  return {
    create: (session, perGrantMax) =>
      kysely.transaction().execute(async (transaction) => {
        await transaction.deleteFrom("sessions").where("expires_at", "<=", session.createdAt).execute();
        await transaction.insertInto("sessions").values(columnsOf(session)).execute();
        const surplus = await transaction
          .selectFrom("sessions")
          .select("id")
          .where("granted_by", "=", session.grantedBy)
          .orderBy("created_at", "desc")
          .orderBy("id", "desc")
          .limit(perGrantMax)
          .offset(perGrantMax)
          .execute();
        if (surplus.length === 0) return;
        const ids = surplus.map(({ id }) => id);
        await transaction.deleteFrom("sessions").where("id", "in", ids).execute();
      }),
    findByDigest: async (digest) => {
      const row = await kysely
        .selectFrom("sessions")
        .selectAll()
        .where("digest", "=", digest)
        .executeTakeFirst();
      return row && toSession(row);
    },
    take: async (digest) => {
      const row = await kysely
        .deleteFrom("sessions")
        .where("digest", "=", digest)
        .returningAll()
        .executeTakeFirst();
      return row && toSession(row);
    },
    end: async (id) => {
      await kysely.deleteFrom("sessions").where("id", "=", id).execute();
    },
  };
}

function columnsOf(session: StoredSession): Tables["sessions"] {
  return {
    id: session.id,
    digest: session.digest,
    kind: session.kind,
    granted_by: session.grantedBy,
    created_at: session.createdAt,
    expires_at: session.expiresAt,
  };
}

function toSession(row: Tables["sessions"]): StoredSession {
  return {
    id: row.id,
    digest: row.digest,
    kind: row.kind,
    grantedBy: row.granted_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
