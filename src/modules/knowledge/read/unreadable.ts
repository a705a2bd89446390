/** A reason why a document cannot be read, as the reading thread reports it. */
export type UnreadableWhy = 'broken' | 'locked' | 'unpacked' | 'pages' | 'empty'

/** The error for a document that cannot be read, with the reason. */
export class Unreadable extends Error {
  readonly why: UnreadableWhy

  constructor(why: UnreadableWhy) {
    super(why)
    this.why = why
  }
}
