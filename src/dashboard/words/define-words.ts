/** One text of the interface: a sentence, or one for each plural form of its `{n}`. */
type Plural = { readonly [Form in Intl.LDMLPluralRule]?: string } & { readonly other: string }
export type Entry = string | Plural
type Table = Readonly<Record<string, Entry>>

/** The names in braces: `'{n} of {limit}'` has `n` and `limit`. */
type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
type NamesOf<Of extends Entry> = Of extends string
  ? Names<Of>
  : Names<Of extends Plural ? Of['other'] : never> | 'n'

/** A value in a text: numbers are formatted in the interface's language, texts are isolated from its direction. */
export type Inserted = string | number
type Values<Of extends Entry, Value> = { readonly [Name in NamesOf<Of>]: Value }

/** A function that returns a text by its key: `t('sent_to', { n: 3 })`. */
export interface Say<En extends Table> {
  (key: PlainKey<En>): string
  <Key extends keyof En & string>(key: Key, values: Values<En[Key], Inserted>): string
}

/** The keys of the texts without inserted values. */
type PlainKey<En extends Table> = {
  [Key in keyof En]: [NamesOf<En[Key]>] extends [never] ? Key : never
}[keyof En] &
  string

export type Words<En extends Table = Table> = {
  readonly en: En
  readonly ar: { readonly [Key in keyof En]: En[Key] extends string ? string : Plural }
}

/**
 * Returns a dictionary with the texts of one part of the dashboard in both languages, typed by the English ones. A
 * missing or superfluous Arabic key does not compile; a test compares the values that both insert.
 */
export function defineWords<const En extends Table>(words: Words<En>): Words<En> {
  return words
}

/**
 * Returns a `defineWords` for a dictionary with a text for each word of a list: `defineWordsOf<StepKind>()({ en: {…},
 * ar: {…} })`. A missing word is then an error in the dictionary, and not in each place that uses it.
 */
export function defineWordsOf<Word extends string>() {
  return <const En extends Table>(
    words: Words<En> & { readonly en: Readonly<Record<Word, string>> },
  ): Words<En & Readonly<Record<Exclude<Word, keyof En>, string>>> => words
}
