import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { readJson, type JsonValue } from '../../../rules/text/json-text.ts'
import { useWords } from '../../words/use-words.tsx'
import styles from './hook.module.css'
import { hookWords } from './words.ts'

/** A field for a pasted body, which is mapped in the browser and sent nowhere. */
export function PasteBody({
  isPasted,
  onPaste,
}: {
  isPasted: boolean
  onPaste(body: JsonValue | null): void
}) {
  const t = useWords(hookWords)
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const read = readJson(text, { mustBeContainer: true })
  if (!isOpen) {
    return (
      <Button size="xs" onClick={() => setOpen(true)}>
        {t('paste')}
      </Button>
    )
  }
  return (
    <div className={styles.mapping}>
      <Textarea
        label={t('paste')}
        description={t('paste_help')}
        dir="ltr"
        classNames={{ input: styles.path! }}
        autosize
        minRows={4}
        maxRows={12}
        value={text}
        error={text !== '' && !read.ok ? t('paste_bad') : undefined}
        onChange={(event) => {
          const { value } = event.currentTarget
          setText(value)
          const now = readJson(value, { mustBeContainer: true })
          if (now.ok) onPaste(now.value)
        }}
      />
      {isPasted && (
        <Button
          size="xs"
          onClick={() => {
            onPaste(null)
            setText('')
            setOpen(false)
          }}
        >
          {t('use_last')}
        </Button>
      )}
    </div>
  )
}
