/** The address of the text, where the caller has written it. There is room behind it for reads past its end. */
export const text: usize = 0;
