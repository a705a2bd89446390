import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'
import type { Language } from '../../vocabulary/hooks.ts'

const STORED_UNDER = 'wasla.language'

type LanguageChoice = {
  language: Language
  direction: 'ltr' | 'rtl'
  choose(language: Language): void
}

const Choice = createContext<LanguageChoice | null>(null)

/** The language of the interface as it stands now, for what is not drawn: requests to the API. */
let current: Language = readLanguage()

export function currentLanguage(): Language {
  return current
}

function readLanguage(): Language {
  const stored = localStorage.getItem(STORED_UNDER)
  if (stored === 'ar' || stored === 'en') return stored
  return navigator.languages.find((tag) => /^(ar|en)\b/i.test(tag))?.startsWith('ar') ? 'ar' : 'en'
}

/** Gives the language of the interface to what it holds, and its direction to the page. */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(current)
  const direction = language === 'ar' ? 'rtl' : 'ltr'
  useEffect(() => {
    document.documentElement.lang = language
    document.documentElement.dir = direction
  }, [language, direction])
  const choice = useMemo(
    () => ({
      language,
      direction,
      choose: (chosen: Language) => {
        current = chosen
        localStorage.setItem(STORED_UNDER, chosen)
        setLanguage(chosen)
      },
    }),
    [language, direction],
  ) satisfies LanguageChoice
  return <Choice value={choice}>{children}</Choice>
}

export function useLanguage(): LanguageChoice {
  const choice = useContext(Choice)
  if (!choice) throw new Error('There is no LanguageProvider around this.')
  return choice
}
