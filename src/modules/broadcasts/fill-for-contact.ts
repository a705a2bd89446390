import type { BroadcastTemplate } from '../../contract/dashboard/broadcast.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { fillTemplate, type FilledTemplate } from '../messaging/fill-template.ts'
import type { TemplateVersion } from '../messaging/read-templates-to-send.sql.ts'
import { fillValue, type ValueSource } from '../../rules/broadcasts/fill-value.ts'

/** A contact as a broadcast writes to it. */
export type FilledContact = ValueSource['contact'] & { language: string | null }

/**
 * Returns the message for one contact, or the reason if a value is missing. A pressed button is reported as a button
 * of this message.
 *
 * @param versions of the template, in every language that the channel has it in.
 * Spec: Broadcasts › Drafts; readings R3, R4.
 */
export function fillForContact(
  { name, language, body, header, urlSuffixes }: BroadcastTemplate,
  versions: readonly TemplateVersion[],
  { contact, optOutLink, messageId }: ValueSource & { contact: FilledContact; messageId: string },
): { ok: true; value: FilledTemplate } | { ok: false; why: Fact } {
  let empty: string | null = null
  const fill = (text: string): string => {
    const filled = fillValue(text, { contact, optOutLink })
    if (filled.ok) return filled.value
    empty ??= filled.reason
    return ''
  }
  const filled = {
    name,
    languages: wantedLanguages({ language }, versions, contact.language),
    body: body.map((value) => ({ name: value.name, text: fill(value.text) })),
    header: header === null ? null : fill(header),
    urlSuffixes: urlSuffixes.map(({ index, text }) => ({ index, text: fill(text) })),
  }
  if (empty !== null) return { ok: false, why: fact('placeholder_empty', { placeholder: empty }) }
  return fillTemplate(filled, versions, (index) => `sent:${messageId}:${index}`)
}

/** Returns the languages to try. A named language is the only one. Spec: reading R3. */
function wantedLanguages(
  { language }: Pick<BroadcastTemplate, 'language'>,
  versions: readonly TemplateVersion[],
  ofContact: string | null,
): (string | null)[] {
  if (language !== undefined) return [language]
  return [ofContact, versions.find(({ status }) => status === 'APPROVED')?.language ?? null]
}
