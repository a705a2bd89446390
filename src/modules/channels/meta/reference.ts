import { readText } from '../provider/read-values.ts'

/** The metadata may also be text of another app that sends for the page. */
const FORM = /^wasla:([A-Za-z0-9_-]{1,64})$/

/** Returns the metadata of a sent message, with this service's id of it, which its echo repeats. */
export const writeReference = (ourReference: string) => `wasla:${ourReference}`

/** Returns this service's id of a message from the metadata of its echo; undefined when another app sent it. */
export const readReference = (metadata: unknown) => FORM.exec(readText(metadata) ?? '')?.[1]
