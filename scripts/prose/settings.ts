/** Checks the comments of files that operators copy: the settings, and the samples of `deploy/`. */
import { findCommentFailures } from '../lint/doc-comment.mjs'
import type { Failure } from './markdown.ts'

/** Returns the failures of the comments that begin with `#` or `;`. Comments on consecutive lines are one text. */
export function checkSettings(file: string, text: string): Failure[] {
  const comments = [...text.matchAll(/(?:^[ \t]*[#;].*(?:\n|$))+/gm)].map(
    ({ 0: block, index }) => ({
      type: 'Line' as const,
      value: block.replaceAll(/^[ \t]*[#;]+ ?/gm, '').trim(),
      start: index,
      end: index + block.length,
    }),
  )
  return findCommentFailures(text, comments).map(({ start, message }) => ({
    file,
    line: text.slice(0, start).split('\n').length,
    message,
  }))
}
