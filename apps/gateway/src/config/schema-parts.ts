import { z } from "zod";

export const name = z.string().min(1).max(256);
export const positive = z.int().positive();
export const duration = z
  .string()
  .regex(/^[1-9]\d*(s|m|h|d)$/, "must be a whole number and a unit: 90s, 15m, 24h or 7d");
