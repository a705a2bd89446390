/** Checks the prose of migrations: their `comment on` statements, and the comments that begin with `--`. */
import { findCommentFailures } from '../lint/doc-comment.mjs'
import type { Failure } from './markdown.ts'

const COMMENT_ON = /\bcomment on \w+ .+? is\s+'((?:[^']|'')*)'/g
const COMMENT_LINES = /(?:^[ \t]*--.*(?:\n|$))+/gm

/** Returns the failures of one migration. A text of `comment on` is a docstring without its last full stop. */
export function checkMigration(file: string, text: string): Failure[] {
  const docstrings = [...text.matchAll(COMMENT_ON)].map(({ 0: all, 1: value, index }) => ({
    type: 'Block' as const,
    value: `*${value!.replaceAll("''", "'")}.`,
    start: index,
    end: index + all.length,
  }))
  const comments = [...text.matchAll(COMMENT_LINES)].map(({ 0: block, index }) => ({
    type: 'Line' as const,
    value: block.replaceAll(/^[ \t]*-- ?/gm, '').trim(),
    start: index,
    end: index + block.length,
  }))
  return findCommentFailures(text, [...docstrings, ...comments]).map(({ start, message }) => ({
    file,
    line: text.slice(0, start).split('\n').length,
    message,
  }))
}
