import type { Fact } from '../core/facts/fact.ts'
import type { Language } from '../core/vocabulary/hooks.ts'
import { FILE_TYPE_NAMES, namesBySize } from '../core/vocabulary/files.ts'
import { defineWords } from '../core/words/define-words.ts'
import { sayIn } from './write-text.ts'

const words = defineWords({
  en: {
    flow: 'the flow "{name}"',
    action: 'the AI action "{name}"',
    types: '{names}',
    types_up_to: '{names} up to {size, megabytes}',
  },
  ar: {
    flow: 'المسار «{name}»',
    action: 'الإجراء «{name}»',
    types: '{names}',
    types_up_to: '{names} بحد أقصى {size, megabytes}',
  },
})

/**
 * Returns the values of a fact's sentence: its parameters, and for a few facts values that follow from them. `format`
 * formats a fact that is part of another fact.
 */
export function derivedValues(
  fact: Fact,
  language: Language,
  format: (fact: Fact) => string,
): Readonly<Record<string, unknown>> {
  const say = sayIn(words, language)
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- few of all facts have derived values
  switch (fact.code) {
    case 'connection_in_use': {
      const { flows, actions, more } = fact.params
      const users = [
        ...flows.map((name) => say('flow', { name })),
        ...actions.map((name) => say('action', { name })),
      ]
      return { users, more }
    }
    case 'whatsapp_not_subscribed':
      return { endpoint: '/{account}/subscribed_apps' }
    case 'placeholder_unknown': {
      const { placeholder, known } = fact.params
      return { placeholder, known: known.map((name) => `{{${name}}}`) }
    }
    case 'template_not_approved': {
      const versions = fact.params.versions.map((one) => `${one.language}: ${one.status}`)
      return { ...fact.params, versions }
    }
    case 'file_type_not_sendable': {
      const { mediaType, types, maxBytes } = fact.params
      const sent = namesBySize(types, maxBytes).map(({ names, max: size }) =>
        size === undefined ? say('types', { names }) : say('types_up_to', { names, size }),
      )
      return {
        mediaType: FILE_TYPE_NAMES[mediaType] ?? mediaType,
        types: sent.join(SEMICOLON[language]),
      }
    }
    case 'channel_disconnected': {
      const { why } = fact.params
      return { why: why && format(why) }
    }
    case 'message_undelivered':
    case 'broadcast_refused':
      return { why: format(fact.params.why) }
    case 'request_valid':
      return { field: fact.params.field, said: format(fact.params.said) }
    case 'import_cell':
      return { column: fact.params.column, said: format(fact.params.said) }
    case 'import_row':
      return { said: format(fact.params.said) }
    default:
      return fact.params
  }
}

const SEMICOLON: Record<Language, string> = { en: '; ', ar: '؛ ' }
