/** Messages to send on a channel, with their templates and files. */
import type { Readable } from 'node:stream'
import type { MediaKind } from '../../core/vocabulary/files.ts'

/** A template as the provider lists it. */
export type TemplateInfo = {
  providerTemplateId: string
  name: string
  language: string
  category: string
  status: string
  parameterFormat: 'POSITIONAL' | 'NAMED'
  components: TemplateComponent[]
}

/** A page of templates. */
export type TemplatePage = {
  templates: TemplateInfo[]
  /** The cursor of the next page; null on the last. */
  next: string | null
}

/**
 * A part of a template in the service's form: `HEADER`, `BODY`, `FOOTER` or `BUTTONS`, with `{{name}}` for a value.
 * Adapters convert other forms; a part of another type cannot be filled.
 */
export type TemplateComponent = {
  type: string
  format?: string
  text?: string
  buttons?: { type: string; text?: string; url?: string }[]
}

/** A tappable option of a message: its label and its payload. */
export type TapTarget = { label: string; payload: string }

/** A message to send. */
export type Outbound =
  | { kind: 'text'; text: string }
  /** Tapping a button, or a row of a list, returns its payload. */
  | { kind: 'buttons'; text: string; buttons: TapTarget[] }
  /** `button` opens the list. */
  | { kind: 'list'; text: string; button: string; rows: TapTarget[] }
  | {
      kind: 'template'
      name: string
      language: string
      parameterFormat: 'POSITIONAL' | 'NAMED'
      /** Body values in order (`1`, `2`, …) or by name, as the template's format says. */
      body: { name: string; text: string }[]
      header?: { name: string; text: string }
      /** A payload per quick-reply button, by its index among the template's buttons. */
      quickReplies: { index: number; payload: string }[]
      /** A suffix per URL button with a variable. */
      urlSuffixes: { index: number; text: string }[]
    }
  | {
      kind: 'media'
      fileId: string
      mediaKind: MediaKind
      caption: string | null
      /** The file name that the customer sees, where the provider shows one. */
      fileName: string | null
    }

/** A file to be sent, as its adapter receives it. */
export type FileToSend = {
  id: string
  mediaType: string
  size: number
  name: string | null
  /** Opens a stream of its bytes from the start; may be called repeatedly. @throws when the store cannot read it */
  read(): Promise<Readable>
  /** The provider's id of an earlier upload for this channel that is certainly still valid, or null. */
  providerMediaId: string | null
  /** Stores the provider's id of an upload, valid for `forMs`. */
  remember(providerMediaId: string, forMs: number): Promise<void>
  /** Deletes the id of an upload that the provider may have deleted. Returns false when there was none. */
  forget(): Promise<boolean>
}
