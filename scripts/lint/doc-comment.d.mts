type Comment = { type: string; value: string; start: number; end: number }

/** Returns what is wrong with the comments of a source file, with the place of each failure. */
export function findCommentFailures(
  source: string,
  comments: readonly Comment[],
): { start: number; end: number; message: string }[]
