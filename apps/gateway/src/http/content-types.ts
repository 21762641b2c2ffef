/** As Express writes it, without looking it up for every answer. */
export const jsonType = "application/json; charset=utf-8";
