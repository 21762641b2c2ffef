/** Where the text to check begins; whoever calls has put it there. Behind it is room for those who read ahead. */
export const text: usize = 0;
