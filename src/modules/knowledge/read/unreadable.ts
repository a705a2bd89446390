/** Why a document cannot be read, as the worker that reads it tells. */
export type UnreadableWhy = 'broken' | 'locked' | 'unpacked' | 'pages' | 'empty'

export class Unreadable extends Error {
  readonly why: UnreadableWhy

  constructor(why: UnreadableWhy) {
    super(why)
    this.why = why
  }
}
