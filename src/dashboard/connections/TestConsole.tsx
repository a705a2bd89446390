import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { TestedConnection } from '../../contract/dashboard/connection.ts'
import { useApi } from '../app/resources.ts'
import { FormFoot, useApiForm } from '../parts/form.tsx'
import { useWords } from '../words/use-words.tsx'
import { CallResult } from './CallResult.tsx'
import layout from '../parts/layout.module.css'
import styles from './connections.module.css'
import { connectionsWords } from './words.ts'

/** A real GET request through the connection, and its result. */
export function TestConsole({
  connectionId,
  isInPlan,
}: {
  connectionId: string
  isInPlan: boolean
}) {
  const t = useWords(connectionsWords)
  const api = useApi()
  const [tested, setTested] = useState<TestedConnection | null>(null)
  const form = useApiForm<{ path: string }>({
    values: { path: '/' },
    onSubmit: async (json) => {
      setTested(await api.call('post', 'connections/:connectionId/test', { connectionId }, json))
    },
  })
  return (
    <div className={styles.console}>
      <p className={layout.help}>{t('test_lead')}</p>
      <form className={styles.console} noValidate onSubmit={form.submit}>
        <TextInput
          dir="ltr"
          label={t('path')}
          description={t('path_help')}
          {...form.field('path')}
        />
        {isInPlan ? (
          <FormFoot form={form} act={t('send')} />
        ) : (
          <div>
            <Button disabled>{t('send')}</Button>
          </div>
        )}
      </form>
      {tested && (
        <CallResult
          tested={tested}
          sent={tested.sent}
          answer={tested.answer}
          answerChars={tested.answerChars}
        />
      )}
    </div>
  )
}
