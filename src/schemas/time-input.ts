import { z } from 'zod'

/** A time that a client sends, with its offset, read as a date. */
export const timeInput = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
