/**
 * The dictionaries of the service, its public pages, widget, e-mails and dashboard: one format, which is data, so that
 * a translator can edit it.
 *
 * - `'{n} of {limit}'` inserts values. A format after a comma says how: `'{flows, quoted}'`.
 * - `{ one: '1 flow', other: '{n} flows' }` has a text for each plural form of `{n}`.
 * - `{ text: 'It is {state}.', forms: { state: { done: 'completed', other: '{state}' } } }` inserts words that depend on
 *   a value: on the value itself, on its plural form, or on the length of a list.
 * - A code or a Latin name between backticks is isolated from the direction of the text around it. It may contain a value.
 * - `{{contact.name}}` is shown as it is, and `{{{name}}}` is a value in double braces.
 */

/** The texts for the values of one parameter, by the value, by its plural form, or by `other`. */
export type Forms = Readonly<Record<string, string>>
type Plural = { readonly [Form in Intl.LDMLPluralRule]?: string } & { readonly other: string }
/** A text with forms for some of its values. */
export type WithForms = { readonly text: string; readonly forms: Readonly<Record<string, Forms>> }
/** One text of a dictionary. */
export type Entry = string | Plural | WithForms
/** The texts of one language by their keys. */
export type Table = Readonly<Record<string, Entry>>

/** The placeholders of a text, with their formats: `'{n} of {limit, plain}'` has `n` and `limit, plain`. */
type Placeholders<Text> = Text extends `${string}{${infer Inside}}${infer Rest}`
  ? WithoutBraces<Inside> | Placeholders<Rest>
  : never
type WithoutBraces<Inside> = Inside extends `{${string}{${infer Name}`
  ? WithoutBraces<Name>
  : Inside extends `{${string}`
    ? never
    : Inside
type NameOf<Placeholder> = Placeholder extends `${infer Name}, ${string}` ? Name : Placeholder
type TextsOf<Of> = Of extends string
  ? Of
  : Of extends { readonly text: infer Text; readonly forms: infer Choices }
    ? Text | { [Name in keyof Choices]: Choices[Name][keyof Choices[Name]] }[keyof Choices]
    : Of[keyof Of]

/** The names of the values that an entry inserts. */
export type NamesOf<Of> =
  | NameOf<Placeholders<TextsOf<Of>>>
  | (Of extends string
      ? never
      : Of extends { readonly forms: infer Choices }
        ? keyof Choices & string
        : 'n')
/** The formats that an entry names. */
export type FormatsOf<Of> =
  Placeholders<TextsOf<Of>> extends infer Each
    ? Each extends `${string}, ${infer Format}`
      ? Format
      : never
    : never

/** A value in a text. */
export type Inserted = string | number
type Values<Of, Value> = { readonly [Name in NamesOf<Of>]: Value }

/** A function that returns a text by its key: `t('sent_to', { n: 3 })`. */
export interface Say<En extends Table, Value = Inserted> {
  (key: PlainKey<En>): string
  <Key extends keyof En & string>(key: Key, values: Values<En[Key], Value>): string
}

/** The keys of the texts without inserted values. */
type PlainKey<En extends Table> = {
  [Key in keyof En]: [NamesOf<En[Key]>] extends [never] ? Key : never
}[keyof En] &
  string

/** A dictionary: the texts of one subject in both languages. */
export type Words<En extends Table = Table, Ar = { readonly [Key in keyof En]: Entry }> = {
  readonly en: En
  readonly ar: Ar
}

/** The Arabic texts of English ones. One that inserts other values, or lacks a plural form, has a type that says so. */
export type Translated<En, Ar> = {
  readonly [Key in keyof En]: Key extends keyof Ar
    ? [NamesOf<En[Key]>, NamesOf<Ar[Key]>] extends [NamesOf<Ar[Key]>, NamesOf<En[Key]>]
      ? Ar[Key] extends string | WithForms
        ? Entry
        : Readonly<Record<Intl.LDMLPluralRule, string>>
      : { 'inserts other values than English': NamesOf<En[Key]> }
    : Entry
}

/**
 * Returns a dictionary with the texts of one subject in both languages, typed by the English ones. An Arabic text that
 * is missing, or that inserts other values than the English one, is an error at its key.
 */
export function defineWords<const En extends Table, const Ar extends Table>(words: {
  readonly en: En
  readonly ar: Ar & Translated<En, Ar>
}): Words<En, Ar> {
  return words
}

/**
 * Returns a `defineWords` for a dictionary with a text for each word of a list: `defineWordsOf<StepKind>()({ en: {…},
 * ar: {…} })`. A missing word is then an error in the dictionary, and not in each place that uses it.
 */
export function defineWordsOf<Word extends string>() {
  return <const En extends Table, const Ar extends Table>(words: {
    readonly en: En & Readonly<Record<Word, string>>
    readonly ar: Ar & Translated<En, Ar>
  }): Words<En & Readonly<Record<Exclude<Word, keyof En>, string>>, Ar> => words
}
