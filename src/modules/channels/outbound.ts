/** What is sent on a channel, and the templates and files that go along. */
import type { Readable } from 'node:stream'
import type { MediaKind } from '../../core/vocabulary/files.ts'

export type TemplateInfo = {
  providerTemplateId: string
  name: string
  language: string
  category: string
  status: string
  parameterFormat: 'POSITIONAL' | 'NAMED'
  components: TemplateComponent[]
}

export type TemplatePage = {
  templates: TemplateInfo[]
  /** Where the next page begins; null on the last. */
  next: string | null
}

/**
 * A part of a template in the one form that the house reads: `HEADER`, `BODY`, `FOOTER` or `BUTTONS`, with
 * `{{name}}` where a value goes. An adapter whose provider has another form brings it into this one; a part of
 * another type is one that nobody here can fill.
 */
export type TemplateComponent = {
  type: string
  format?: string
  text?: string
  buttons?: { type: string; text?: string; url?: string }[]
}

/** What a customer can tap in a message: what they read, and what comes back. */
export type TapTarget = { label: string; payload: string }

export type Outbound =
  | { kind: 'text'; text: string }
  /** Each button brings its payload back when it is tapped, as each row of a list does. */
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
      /** One payload per quick-reply button, by its place among the template's buttons. */
      quickReplies: { index: number; payload: string }[]
      /** One suffix per url button with a variable. */
      urlSuffixes: { index: number; text: string }[]
    }
  | {
      kind: 'media'
      fileId: string
      mediaKind: MediaKind
      caption: string | null
      /** What the customer sees it called, where the provider shows a name. */
      fileName: string | null
    }

/** A file that is about to be sent, as its adapter is given it. */
export type FileToSend = {
  id: string
  mediaType: string
  size: number
  name: string | null
  /** Its bytes, from the first, as often as asked. @throws where the store does not give them. */
  read(): Promise<Readable>
  /** What the provider calls it, where it was uploaded for this channel before and is surely there. */
  providerMediaId: string | null
  /** The provider has it under this id for so long. */
  remember(providerMediaId: string, forMs: number): Promise<void>
  /** The provider may no longer have it. False where it had not been uploaded before. */
  forget(): Promise<boolean>
}
