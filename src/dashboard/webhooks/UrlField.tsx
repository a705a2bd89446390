import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Path } from 'react-hook-form'
import type { ApiForm } from '../parts/form.tsx'
import { useWords } from '../words/use-words.tsx'
import { webhooksWords } from './words.ts'
import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import { readEndpointUrl, type UrlRefusal } from '../../rules/addresses/merchant-url.ts'
import type { Say } from '../../core/words/define-words.ts'

const EXAMPLE = 'https://example.com/webhooks'

/**
 * The field for the URL of an endpoint. Faults that need no network to be found are shown once the field loses the
 * focus.
 */
export function UrlField<Values extends { url: string }>({ form }: { form: ApiForm<Values> }) {
  const t = useWords(webhooksWords)
  const [isLeft, setLeft] = useState(false)
  const name = 'url' as Path<Values>
  const url: string = form.watch(name)
  const fault = urlFault(url, t)
  const shownFault = isLeft && url !== '' ? (fault ?? undefined) : undefined
  const { onBlur, error, ...registered } = form.field(name, {
    validate: (text: string) => urlFault(text, t) ?? true,
  })
  return (
    <TextInput
      label={t('url')}
      type="url"
      placeholder={EXAMPLE}
      description={fault === null ? t('url_good') : t('url_help')}
      error={error ?? shownFault}
      styles={{
        input: {
          direction: 'ltr',
          textAlign: 'left',
          fontFamily: 'var(--w-mono)',
          fontSize: 12.5,
        },
      }}
      autoComplete="off"
      spellCheck={false}
      {...registered}
      onBlur={(event) => {
        setLeft(true)
        void onBlur(event)
      }}
    />
  )
}

type SayWebhooks = Say<(typeof webhooksWords)['en']>

/** Returns the fault of a URL that can be found without a DNS lookup, or null. */
function urlFault(url: string, t: SayWebhooks): string | null {
  const read = readEndpointUrl(url.trim(), isNotLocal)
  return read.ok ? null : sayRefusal(read.reason, t)
}

/** The server decides which addresses may be reached, because the operator can allow private ones. */
function isNotLocal(): boolean {
  return true
}

function sayRefusal(reason: UrlRefusal, t: SayWebhooks): string {
  return reason === 'too_long' ? t('too_long', { limit: DELIVERY_LIMITS.urlChars }) : t(reason)
}
