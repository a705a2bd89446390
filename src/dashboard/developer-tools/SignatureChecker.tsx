import { Button, Textarea, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { now } from '../words/now.ts'
import { Banner, Panel } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { checkSignature, TOLERANCE_SECONDS, type Finding } from './check-signature.ts'
import layout from '../parts/layout.module.css'
import styles from './developer-tools.module.css'
import { developerToolsWords } from './words.ts'

const HEADER = 'X-Service-Signature'

/** A published test vector, whose secret is public. */
const EXAMPLE = {
  header: 't=1790856000,v1=a3764eaf48a769245e6e81fbdaf8e9ea4bb568ce0286543f224768e1551c1599',
  body: '{"id":"evt_0199a0b1c2d3e4f5061728394a5b6c7d","type":"ping","apiVersion":"2026-10","createdAt":"2026-10-01T12:00:00.000Z","test":true,"company":{"id":"00000000-0000-4000-8000-000000000001","name":"Sample shop"},"data":{"message":"Hello"}}',
  secrets: 'whsec_Uu3gV0Qk5mB2nH7sXyZ1cD4eF6aJ8pL9rT_wKoI-qEt',
  at: '1790856002',
}

/** A tool that checks the signature of a webhook request and explains why it is invalid. It computes in the browser. */
export function SignatureChecker() {
  const t = useWords(developerToolsWords)
  const [given, setGiven] = useState({ header: '', body: '', secrets: '', at: '' })
  const [finding, setFinding] = useState<Finding | null>(null)
  const set = (change: Partial<typeof given>) => {
    setGiven({ ...given, ...change })
    setFinding(null)
  }
  const check = async (event: FormEvent) => {
    event.preventDefault()
    const { header, body, secrets, at } = given
    const seconds = /^[0-9]+$/.test(at.trim()) ? Number(at) : null
    setFinding(
      await checkSignature({
        header,
        body,
        secrets: secrets.split('\n').filter((secret) => secret.trim() !== ''),
        seconds: seconds ?? Math.floor(now().getTime() / 1_000),
      }),
    )
  }
  return (
    <Panel title={t('signature')}>
      <form className={styles.fields} onSubmit={(event) => void check(event)}>
        <p className={layout.help}>{t('signature_lead')}</p>
        <Textarea
          dir="ltr"
          label={t('body')}
          description={t('body_help')}
          autosize
          minRows={4}
          maxRows={12}
          spellCheck={false}
          classNames={{ input: layout.mono! }}
          value={given.body}
          onChange={(event) => set({ body: event.currentTarget.value })}
        />
        <TextInput
          dir="ltr"
          label={t('header', { name: HEADER })}
          description={t('header_help')}
          spellCheck={false}
          classNames={{ input: layout.mono! }}
          value={given.header}
          onChange={(event) => set({ header: event.currentTarget.value })}
        />
        <Textarea
          dir="ltr"
          label={t('secrets')}
          description={t('secrets_help')}
          rows={2}
          autoComplete="off"
          spellCheck={false}
          classNames={{ input: layout.mono! }}
          value={given.secrets}
          onChange={(event) => set({ secrets: event.currentTarget.value })}
        />
        <TextInput
          dir="ltr"
          inputMode="numeric"
          label={t('at')}
          description={t('at_help', { n: TOLERANCE_SECONDS })}
          w={260}
          value={given.at}
          onChange={(event) => set({ at: event.currentTarget.value })}
        />
        <div className={styles.acts}>
          <Button type="submit" variant="filled" disabled={!isSecureContext}>
            {t('check')}
          </Button>
          <Button onClick={() => set(EXAMPLE)}>{t('example')}</Button>
        </div>
      </form>
      {/* Browsers offer no cryptography on pages loaded over plain HTTP. */}
      {!isSecureContext && (
        <Banner tone="warn" title={t('needs_https')}>
          {t('needs_https_next')}
        </Banner>
      )}
      {finding && <Result finding={finding} />}
    </Panel>
  )
}

function Result({ finding }: { finding: Finding }) {
  const t = useWords(developerToolsWords)
  const { kind } = finding
  if (kind === 'valid') {
    return (
      <Banner tone="ok" title={t('valid', finding)}>
        {t('valid_next')}
      </Banner>
    )
  }
  if (kind === 'old' || kind === 'future') {
    return (
      <Banner tone="warn" title={t(kind, finding)}>
        {t(`${kind}_next`)}
      </Banner>
    )
  }
  if (kind === 'no_match') {
    const byTime = finding.hasTime ? 'no_match_now' : 'no_match_old'
    const word = finding.hasPrefix ? byTime : 'no_match_prefix'
    return (
      <Banner tone="bad" title={t(word)}>
        {t(`${word}_next`)}
      </Banner>
    )
  }
  return (
    <Banner tone="bad" title={t(kind)}>
      {t(`${kind}_next`)}
    </Banner>
  )
}
