/** Countries as customers read them. */
import { html, raw } from 'hono/html'
import { CALLING_CODES, COUNTRIES, type Country } from '../../core/vocabulary/countries.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import type { Markup } from './page-frame.ts'

const namesIn = (language: Language) => new Intl.DisplayNames([language], { type: 'region' })

/** Returns the name of a country in a language: "Saudi Arabia". */
export const nameOfCountry = (language: Language, country: Country): string =>
  namesIn(language).of(country) ?? country

/** Returns the options of all countries, sorted by name, with their calling codes, which are written from left to right. */
function writeAll(language: Language): string {
  const names = namesIn(language)
  const { compare } = new Intl.Collator(language)
  return COUNTRIES.map((country) => ({ country, name: names.of(country) ?? country }))
    .toSorted((one, other) => compare(one.name, other.name))
    .map(({ country, name }) => {
      const label = `${name.replaceAll('&', '&amp;')} \u2066+${CALLING_CODES[country]}\u2069`
      return `<option value="${country}">${label}</option>`
    })
    .join('')
}

/** The options in each language, written once, because every page with a phone field contains them. */
const ALL = { en: writeAll('en'), ar: writeAll('ar') } satisfies Record<Language, string>

/** Returns the options of a country field; `chosen` is selected. Null selects none. */
export function writeCountryOptions(
  language: Language,
  chosen: Country | null,
  unchosen: string,
): Markup {
  const all = ALL[language]
  const marked = chosen === null ? all : all.replace(`value="${chosen}"`, '$& selected')
  return html`<option value="">${unchosen}</option>
    ${raw(marked)}`
}
