import { useEffect, useSyncExternalStore, type ReactNode } from 'react'
import type { Digits, TimeShown } from '../../core/vocabulary/accounts.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'

const STORED_UNDER = 'wasla.language'

/** The manner of the interface: its language, the digits of Arabic, and the time zone. */
export type Manner = { language: Language; digits: Digits; timeShown: TimeShown }

let current: Manner = { language: readLanguage(), digits: 'latin', timeShown: 'local' }
const listeners = new Set<() => void>()

/** Returns a function that creates its result once for a manner and then returns it: formats of `Intl` are slow to create. */
export function oncePerManner<Result extends object>(
  create: (manner: Manner) => Result,
): (manner: Manner) => Result {
  const created = new WeakMap<Manner, Result>()
  return (manner) => {
    const result = created.get(manner) ?? create(manner)
    created.set(manner, result)
    return result
  }
}

/** Returns how times and numbers are shown, outside of components. */
export const currentManner = (): Manner => current

/** Returns the language of the interface outside of components, such as for requests to the API. */
export function currentLanguage(): Language {
  return current.language
}

function readLanguage(): Language {
  const stored = localStorage.getItem(STORED_UNDER)
  if (stored === 'ar' || stored === 'en') return stored
  return navigator.languages.find((tag) => /^(ar|en)\b/i.test(tag))?.startsWith('ar') ? 'ar' : 'en'
}

/** Applies a member's preferences: language, digits and clock. A language that is null leaves this browser's. */
export function changeManner(chosen: {
  language?: Language | null
  digits?: Digits
  timeShown?: TimeShown
}): void {
  const language = chosen.language ?? current.language
  const { digits = current.digits, timeShown = current.timeShown } = chosen
  if (
    language === current.language &&
    digits === current.digits &&
    timeShown === current.timeShown
  ) {
    return
  }
  current = { language, digits, timeShown }
  localStorage.setItem(STORED_UNDER, language)
  for (const notify of listeners) notify()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Provides the language of the interface, and sets language and direction of the page. */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const { language, direction } = useLanguage()
  useEffect(() => {
    document.documentElement.lang = language
    document.documentElement.dir = direction
  }, [language, direction])
  return children
}

/** Returns how texts, times and numbers are shown: language, digits and clock. */
export function useManner(): Manner {
  return useSyncExternalStore(subscribe, () => current)
}

/** Returns the language of the interface, its direction, and a function that changes it. */
export function useLanguage(): {
  language: Language
  direction: 'ltr' | 'rtl'
  choose(language: Language): void
} {
  const { language } = useManner()
  return {
    language,
    direction: language === 'ar' ? 'rtl' : 'ltr',
    choose: (chosen) => changeManner({ language: chosen }),
  }
}
