import { z } from 'zod'

/** An id that a client sends: a UUID in either case, read as it is stored, in lower case. */
export const uuidInput = z.uuid().toLowerCase()
