/** One text of the interface: a sentence, or one for each plural form of its `{n}`. */
type Plural = { readonly [Form in Intl.LDMLPluralRule]?: string } & { readonly other: string }
export type Entry = string | Plural
type Table = Readonly<Record<string, Entry>>

/** The names in braces: `'{n} of {limit}'` has `n` and `limit`. */
type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
type NamesOf<Of extends Entry> = Of extends string
  ? Names<Of>
  : Names<Of extends Plural ? Of['other'] : never> | 'n'

/** What is put into a text: numbers are written as the language writes them, texts are isolated. */
export type Inserted = string | number
type Values<Of extends Entry, Value> = { readonly [Name in NamesOf<Of>]: Value }

/** Says a text by its key. `t('sent_to', { n: 3 })` */
export interface Say<En extends Table> {
  (key: PlainKey<En>): string
  <Key extends keyof En & string>(key: Key, values: Values<En[Key], Inserted>): string
}

/** The keys of the texts into which nothing is put. */
type PlainKey<En extends Table> = {
  [Key in keyof En]: [NamesOf<En[Key]>] extends [never] ? Key : never
}[keyof En] &
  string

export type Words<En extends Table = Table> = {
  readonly en: En
  readonly ar: { readonly [Key in keyof En]: En[Key] extends string ? string : Plural }
}

/**
 * The texts of one part of the dashboard in both languages, typed by the English ones: a key that Arabic lacks,
 * or has too many, does not compile. That both name the same values is a test.
 */
export function defineWords<const En extends Table>(words: Words<En>): Words<En> {
  return words
}

/**
 * As `defineWords`, for a dictionary that has a text for each word of a list: one that it lacks is an error in the
 * dictionary, and not in each place that says it. `defineWordsOf<StepKind>()({ en: {…}, ar: {…} })`
 */
export function defineWordsOf<Word extends string>() {
  return <const En extends Table>(
    words: Words<En> & { readonly en: Readonly<Record<Word, string>> },
  ): Words<En & Readonly<Record<Exclude<Word, keyof En>, string>>> => words
}
