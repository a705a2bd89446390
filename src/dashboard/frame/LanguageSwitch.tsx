import type { Language } from '../../core/vocabulary/hooks.ts'
import { useLanguage } from '../words/language.ts'
import styles from './frame.module.css'

/** The other language, with its own name. */
const OTHER = { en: ['ar', 'العربية'], ar: ['en', 'English'] } as const

/** A button that switches the interface to the other language. */
export function LanguageSwitch({ onChosen }: { onChosen?: (language: Language) => void }) {
  const { language, choose } = useLanguage()
  const [other, name] = OTHER[language]
  return (
    <button
      type="button"
      lang={other}
      className={styles.quiet}
      onClick={() => {
        choose(other)
        onChosen?.(other)
      }}
    >
      {name}
    </button>
  )
}
