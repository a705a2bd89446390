import { CloseButton, TextInput } from '@mantine/core'
import { defineWords } from '../../core/words/define-words.ts'
import { useWords } from '../words/use-words.tsx'
import styles from './parts.module.css'

const words = defineWords({
  en: { choose: 'Choose a colour: {name}', clear: 'Use the default: {name}', usual: 'Default' },
  ar: { choose: 'اختيار لون: {name}', clear: 'استخدام الافتراضي: {name}', usual: 'الافتراضي' },
})

const WHOLE = /^#[0-9a-f]{6}$/i

/** A field for a colour: chosen from the browser's palette, or typed as `#0b5f73`. An empty field is the default. */
export function ColourField({
  label,
  description,
  value,
  usual,
  error,
  onChange,
}: {
  label: string
  description?: string
  value: string
  /** The default colour, with which the palette starts. */
  usual: string
  error: string | undefined
  onChange(colour: string): void
}) {
  const t = useWords(words)
  return (
    <TextInput
      label={label}
      description={description}
      placeholder={t('usual')}
      classNames={value === '' ? {} : { input: styles.ltr! }}
      error={error}
      value={value}
      maxLength={7}
      leftSectionPointerEvents="all"
      leftSectionWidth={44}
      leftSection={
        <input
          type="color"
          aria-label={t('choose', { name: label })}
          className={styles.colour}
          value={WHOLE.test(value) ? value : usual}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      }
      rightSection={
        value !== '' && (
          <CloseButton
            size="sm"
            aria-label={t('clear', { name: label })}
            onClick={() => onChange('')}
          />
        )
      }
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
