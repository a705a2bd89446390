import { useEffect, useRef, useState } from 'react'
import { accountApi } from '../app/resources.ts'
import { ApiError } from '../app/api.ts'
import { LinkButton } from '../parts/LinkButton.tsx'
import { Banner, Failed, Skeleton } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { useEnter } from './enter.ts'
import { Sheet } from './Sheet.tsx'
import { useTokenOfLink } from './token-in-address.ts'
import { signInWords } from './words.ts'

/** The page of the link that the start of the demonstration prints, which signs in with the token of the link. */
export function Welcome() {
  const t = useWords(signInWords)
  const token = useTokenOfLink()
  const enter = useEnter()
  const [error, setError] = useState<unknown>(null)
  const asked = useRef<string | null>(null)
  useEffect(() => {
    // A link works once, so a second run of this effect must not use it again.
    if (asked.current === token) return
    asked.current = token
    setError(null)
    accountApi.call('post', '/demonstration/session', { token }).then(enter, setError)
  }, [token, enter])
  if (error === null) {
    return (
      <Sheet title={t('welcome')}>
        <Skeleton rows={3} />
      </Sheet>
    )
  }
  return (
    <Sheet title={t('welcome')}>
      {error instanceof ApiError && error.status >= 400 && error.status < 500 ? (
        <Banner tone="warn" title={t('welcome_over')}>
          {t('welcome_over_why')}
        </Banner>
      ) : (
        <Failed
          error={error}
          onRetry={() => {
            setError(null)
            accountApi.call('post', '/demonstration/session', { token }).then(enter, setError)
          }}
        />
      )}
      <LinkButton to="/sign-in" search={{}}>
        {t('sign_in')}
      </LinkButton>
    </Sheet>
  )
}
