import type { Entry, FormatsOf, NamesOf, Translated } from '../core/words/define-words.ts'
import type { Language } from '../core/vocabulary/hooks.ts'
import type { Format } from './write-text.ts'

/** The values of a parameter that a text has no form for. */
type Uncovered<Each, Params> = Each extends { readonly forms: infer Choices }
  ? {
      [Name in keyof Choices & keyof Params]: 'other' extends keyof Choices[Name]
        ? never
        : Exclude<KeyOf<Params[Name]>, keyof Choices[Name]>
    }[keyof Choices & keyof Params]
  : never
/** The names of parameters; none for `None`, whose keys are any string. */
type NameOf<Params> = string extends keyof Params ? never : keyof Params
type KeyOf<Value> = Value extends string | boolean | null ? `${Value}` : never

/** The texts of facts. A wrong text has a type that states the reason. */
type Checked<Texts, In extends Language, Params, Extra> = {
  readonly [Code in keyof Texts]: Code extends keyof Params
    ? [Exclude<NamesOf<Texts[Code]>, NameOf<Params[Code]> | Extra>] extends [never]
      ? [Exclude<FormatsOf<Texts[Code]>, Format<In>>] extends [never]
        ? [Uncovered<Texts[Code], Params[Code]>] extends [never]
          ? Entry
          : { 'has no form for': Uncovered<Texts[Code], Params[Code]> }
        : { 'names an unknown format': Exclude<FormatsOf<Texts[Code]>, Format<In>> }
      : { 'inserts an unknown parameter': Exclude<NamesOf<Texts[Code]>, NameOf<Params[Code]>> }
    : { 'is no code of this subject': Code }
}

/**
 * Returns a function that returns the sentences of a subject's facts in both languages, typed by the parameters of its
 * codes. A sentence that is missing or wrong is an error at its code. `Extra` names the values that `derived-values.ts`
 * adds to the parameters.
 */
export function defineFacts<Params, Extra extends string = never>() {
  return <
    const En extends Readonly<Record<keyof Params, Entry>>,
    const Ar extends Readonly<Record<keyof Params, Entry>>,
  >(words: {
    readonly en: En & Checked<En, 'en', Params, Extra>
    readonly ar: Ar & Checked<Ar, 'ar', Params, Extra> & Translated<En, Ar>
  }): Readonly<Record<Language, Readonly<Record<keyof Params, Entry>>>> => words
}
