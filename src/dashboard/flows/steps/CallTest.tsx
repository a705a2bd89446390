import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../../app/resources.ts'
import type { TestedCall } from '../../../contract/dashboard/flow.ts'
import { placeholdersOf } from '../../../rules/calls/call-placeholders.ts'
import { countCodePoints } from '../../../rules/text/json-text.ts'
import { CodeBlock, Ltr } from '../../parts/Code.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Details } from '../../parts/Page.tsx'
import { Pill } from '../../parts/Pill.tsx'
import { useApiMutation } from '../../parts/use-api-mutation.ts'
import { useFormat } from '../../words/format.ts'
import { useWords } from '../../words/use-words.tsx'
import type { StepOf } from '../draft.ts'
import styles from '../flows.module.css'
import stepsStyles from './steps.module.css'
import { builderWords } from '../words-builder.ts'
import { useBuilderContext } from '../builder-context.ts'

/** A test that makes a real call, with the same code as a run, and with typed values. */
export function CallTest({ stepId, step }: { stepId: string; step: StepOf<'http_request'> }) {
  const t = useWords(builderWords)
  const api = useApi()
  const { flowId, mayEdit, saved } = useBuilderContext()
  const { isBusy, run } = useApiMutation()
  const [vars, setVars] = useState<Record<string, string>>({})
  const [result, setResult] = useState<TestedCall | null>(null)
  const { path, query, headers, body, method } = step.request
  const names = [
    ...new Set(
      [path, ...[...query, ...headers].map(({ value }) => value), body ?? '']
        .flatMap(placeholdersOf)
        .filter((name) => name.startsWith('vars.'))
        .map((name) => name.slice('vars.'.length)),
    ),
  ]
  if (!mayEdit) return null
  const send = async () => {
    // The test uses the saved step.
    if (!(await saved())) return
    const json = { vars: Object.fromEntries(names.map((name) => [name, vars[name] || null])) }
    const tested = await run(() =>
      api.call('post', 'flows/:flowId/steps/:stepId/test', { flowId, stepId }, json),
    )
    setResult(tested)
  }
  return (
    <section className={stepsStyles.test} aria-label={t('test')}>
      <h3 className={styles.smallTitle}>{t('test')}</h3>
      {names.map((name) => (
        <TextInput
          key={name}
          label={t('sample_for', { name })}
          value={vars[name] ?? ''}
          onChange={(event) => {
            const { value } = event.currentTarget
            setVars((before) => ({ ...before, [name]: value }))
          }}
        />
      ))}
      <div className={styles.row}>
        <Button loading={isBusy} leftSection={<Icon name="play" />} onClick={() => void send()}>
          {t('send_test')}
        </Button>
        <span className={styles.help}>
          {method === 'GET' ? t('test_is_real') : t('test_changes', { method })}
        </span>
      </div>
      {result && <Tested result={result} />}
    </section>
  )
}

function Tested({ result }: { result: TestedCall }) {
  const t = useWords(builderWords)
  const format = useFormat()
  const { outcome, httpStatus, durationMs, detail, sent, answer, kept } = result
  const { answerChars, keptChars } = result
  const shown = countCodePoints(answer ?? '')
  const isGood = outcome === 'success'
  return (
    <div role="status">
      <div className={styles.row}>
        <Pill tone={isGood ? 'ok' : 'bad'}>
          {httpStatus === null ? t('not_made') : <Ltr>{httpStatus}</Ltr>}
        </Pill>
        <span>{format.milliseconds(durationMs)}</span>
        <span>{isGood ? t('takes_success') : t('takes_failed')}</span>
      </div>
      {detail && <p>{detail.text}</p>}
      {Object.keys(kept).length > 0 && (
        <Details
          items={Object.entries(kept).map(([name, value]) => [
            <Ltr key={name}>{name}</Ltr>,
            <span key={`${name}=`}>
              <bdi>{value ?? t('nothing')}</bdi>
              {keptChars[name] !== undefined && (
                <span className={styles.help}>
                  {' '}
                  {t('kept_cut', { shown: countCodePoints(value ?? ''), n: keptChars[name] })}
                </span>
              )}
            </span>,
          ])}
        />
      )}
      {sent && (
        <CodeBlock label={t('sent')} code={`${sent.method} ${sent.url}\n${sent.body ?? ''}`} />
      )}
      {answer !== null && <CodeBlock label={t('answer')} code={answer} />}
      {answerChars !== null && answerChars > shown && (
        <p className={styles.help}>{t('answer_cut', { shown, n: answerChars })}</p>
      )}
    </div>
  )
}
