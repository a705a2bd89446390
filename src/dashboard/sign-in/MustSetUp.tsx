import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { SecondFactorSetUp } from '../account/SecondFactorSetUp.tsx'
import { ApiError } from '../app/api.ts'
import { sessionQuery } from '../app/session.ts'
import { useSignOut } from '../frame/use-sign-out.ts'
import { Failed, Skeleton } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { useEnter } from './enter.ts'
import { Sheet } from './Sheet.tsx'
import layout from '../parts/layout.module.css'
import { signInWords } from './words.ts'

/** The setup of two-factor authentication that the account requires before any other page. */
export function MustSetUp() {
  const t = useWords(signInWords)
  const session = useQuery(sessionQuery)
  const navigate = useNavigate()
  const enter = useEnter()
  const signOut = useSignOut()
  const isOut = session.error instanceof ApiError && session.error.status === 401
  useEffect(() => {
    if (isOut) void navigate({ to: '/sign-in', search: {} })
  }, [isOut, navigate])
  return (
    <Sheet title={t('second_factor')}>
      {session.data ? (
        <Stack>
          <p className={layout.quiet}>
            {t('must_set_up', { account: session.data.account.name ?? t('this_account') })}
          </p>
          <SecondFactorSetUp onDone={() => void enter()} />
          <div>
            <Button variant="transparent" onClick={signOut}>
              {t('sign_out')}
            </Button>
          </div>
        </Stack>
      ) : session.isError && !isOut ? (
        <Failed error={session.error} onRetry={() => void session.refetch()} />
      ) : (
        <Skeleton rows={3} />
      )}
    </Sheet>
  )
}
