import type { Audience, BroadcastView } from '../../contract/dashboard/broadcast.ts'
import type { TemplateView } from '../../contract/dashboard/template.ts'
import { BROADCAST_LIMITS } from '../../core/limits/broadcasts.ts'
import { numberOf } from '../parts/number-of.ts'

/** The values of the form of a draft. */
export type DraftValues = {
  name: string
  channelId: string | null
  template: {
    name: string | null
    language: string | null
    body: Record<string, string>
    header: string
    urls: Record<string, string>
  }
  audience: Audience | null
  perSecond: number | string
}

/** Returns the form's values for a broadcast; null is a new one. */
export function toValues(broadcast: BroadcastView | null): DraftValues {
  const template = broadcast?.template
  return {
    name: broadcast?.name ?? '',
    channelId: broadcast?.channelId ?? null,
    template: {
      name: template?.name ?? null,
      language: template?.language ?? null,
      // The names get a letter in front: a form reads a numeric name as an index.
      body: Object.fromEntries((template?.body ?? []).map(({ name, text }) => [`v${name}`, text])),
      header: template?.header ?? '',
      urls: Object.fromEntries(
        (template?.urlSuffixes ?? []).map(({ index, text }) => [`b${index}`, text]),
      ),
    },
    audience: broadcast?.audience ?? null,
    perSecond: broadcast?.perSecond ?? BROADCAST_LIMITS.perSecond,
  }
}

/**
 * Converts the form's values to the API's input for a draft. Values of a template that is no longer chosen are left
 * out.
 */
export function toDraft(values: DraftValues, shown: TemplateView | undefined) {
  const { name, channelId, template, audience, perSecond } = values
  const slots = shown?.slots ?? slotsWritten(template)
  return {
    name,
    channelId: channelId ?? '',
    template: {
      name: template.name ?? '',
      ...(template.language !== null && { language: template.language }),
      body: slots.body.map((slot) => ({
        name: slot,
        text: template.body[`v${slot}`] ?? '',
      })),
      header: slots.header === null ? null : template.header,
      urlSuffixes: slots.urlSuffixes.map(({ index }) => ({
        index,
        text: template.urls[`b${index}`] ?? '',
      })),
    },
    audience: audience ?? { kind: 'contacts' as const, contactIds: [] },
    perSecond: numberOf(perSecond),
  }
}

/**
 * Returns the placeholders that the form has values for. It replaces the template's, where the template is not loaded
 * or not approved at present, so that their values are kept.
 */
function slotsWritten({ header, body, urls }: DraftValues['template']) {
  return {
    header: header === '' ? null : header,
    body: Object.keys(body).map((name) => name.slice(1)),
    urlSuffixes: Object.keys(urls).map((name) => ({ index: Number(name.slice(1)) })),
  }
}

const VARIABLE = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g

/** Returns a template's text with the values inserted; placeholders without a value stay. */
export function fillPlaceholders(
  words: string,
  valueOf: (name: string) => string | undefined,
): string {
  return words.replaceAll(VARIABLE, (whole, name: string) => valueOf(name) || whole)
}
