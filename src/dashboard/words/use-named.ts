import { textIn } from '../../rules/text/text-in.ts'
import { useLanguage } from './language.ts'

/** Returns a function that picks an entity's name in the language of the interface. */
export function useNamed(): (named: { name: string; nameAr: string | null }) => string {
  const { language } = useLanguage()
  return ({ name, nameAr }) => textIn(language, name, nameAr)
}
