import type { TestedConnection } from '../../contract/dashboard/connection.ts'
import { countCodePoints, indentedJson, readJson } from '../../rules/text/json-text.ts'
import { CodeBlock } from '../parts/Code.tsx'
import { Pill } from '../parts/Pill.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './connections.module.css'
import { connectionsWords } from './words.ts'

type Tested = Pick<TestedConnection, 'httpStatus' | 'detail' | 'attempts' | 'durationMs'> & {
  outcome: 'success' | 'failed' | 'refused'
}

/** The result of a test call: status, time, request and response. */
export function CallResult({
  tested,
  sent,
  answer,
  answerChars,
}: {
  tested: Tested
  sent: TestedConnection['sent']
  answer: string | null
  answerChars: number | null
}) {
  const t = useWords(connectionsWords)
  const format = useFormat()
  const time = format.milliseconds(tested.durationMs)
  const shown = countCodePoints(answer ?? '')
  const isCut = answerChars !== null && answerChars > shown
  const isOk = tested.outcome === 'success'
  return (
    <div className={styles.console} role="status">
      <div className={layout.result}>
        <Pill tone={isOk ? 'ok' : 'bad'}>{t(isOk ? 'answered' : 'failed')}</Pill>
        <strong>
          {tested.httpStatus === null
            ? t('no_status', { time })
            : t('result', { status: String(tested.httpStatus), time })}
        </strong>
        {tested.attempts > 1 && <span>{t('attempts', { n: tested.attempts })}</span>}
      </div>
      {tested.detail && <p className={layout.wrong}>{tested.detail.text}</p>}
      {sent && (
        <div className={styles.answer}>
          <h3>{t('sent')}</h3>
          <CodeBlock code={requestText(sent)} label={t('sent')} />
        </div>
      )}
      <div className={styles.answer}>
        <h3>{t('answer')}</h3>
        {answer === null || answer === '' ? (
          <p className={layout.help}>{t('answer_empty')}</p>
        ) : (
          <CodeBlock code={readably(answer)} label={t('answer')} />
        )}
        {isCut && (
          <p className={layout.help}>{t('answer_cut', { shown, n: answerChars ?? shown })}</p>
        )}
      </div>
      {sent && (
        <p className={layout.help}>{t(sent.isCredentialSent ? 'struck_out' : 'none_sent')}</p>
      )}
    </div>
  )
}

function requestText({
  method,
  url,
  headers,
  body,
}: NonNullable<TestedConnection['sent']>): string {
  const lines = [`${method} ${url}`, ...headers.map(({ name, value }) => `${name}: ${value}`)]
  return body === null ? lines.join('\n') : `${lines.join('\n')}\n\n${readably(body)}`
}

/** Indents JSON. Other texts, and JSON that was cut off, are returned unchanged. */
function readably(text: string): string {
  const json = readJson(text)
  return json.ok ? indentedJson(json.value) : text
}
