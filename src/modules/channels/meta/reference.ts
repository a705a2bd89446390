import { readText } from '../provider/read-values.ts'

/** Another app that sends for the same page may have words of its own there. */
const FORM = /^wasla:([A-Za-z0-9_-]{1,64})$/

/** The reference of a message, as it goes along with it and comes back in its echo. */
export const writeReference = (ourReference: string) => `wasla:${ourReference}`

/** The reference in what an echo brings back; undefined where it is none of ours. */
export const readReference = (metadata: unknown) => FORM.exec(readText(metadata) ?? '')?.[1]
