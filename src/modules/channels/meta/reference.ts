import { readText } from '../provider/read-values.ts'

/** The metadata may also be text of another app that sends for the page. */
const FORM = /^wasla:([A-Za-z0-9_-]{1,64})$/

/** Returns the metadata of a message: its reference, which its echo repeats. */
export const writeReference = (ourReference: string) => `wasla:${ourReference}`

/** Returns the reference in an echo's metadata; undefined when the metadata is another app's. */
export const readReference = (metadata: unknown) => FORM.exec(readText(metadata) ?? '')?.[1]
