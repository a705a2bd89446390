/** Returns the dialect words of a text, with the place of each and the word to write instead. */
export function findBannedWords(text: string): { index: number; message: string }[]
