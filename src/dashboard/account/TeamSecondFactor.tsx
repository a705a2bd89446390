import { accountApi } from '../app/resources.ts'
import { useMay, useSession } from '../app/session.ts'
import { ConfirmButton } from '../parts/Dialogs.tsx'
import { Panel } from '../parts/Page.tsx'
import { Pill } from '../parts/Pill.tsx'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import { teamWords } from './words-team.ts'

/** The rule whether the account requires two-factor authentication, which Owners can change. */
export function TeamSecondFactor() {
  const t = useWords(teamWords)
  const { account } = useSession()
  const { own } = useMay()
  const isNeeded = account.needsSecondFactor
  return (
    <Panel
      title={t('second_factor')}
      end={
        own && (
          <ConfirmButton
            label={t(isNeeded ? 'no_want' : 'want')}
            button={{ size: 'xs' }}
            title={t(isNeeded ? 'no_want_title' : 'want_title')}
            act={t(isNeeded ? 'no_want' : 'want')}
            send={() => accountApi.put('/account/second-factor', { isNeeded: !isNeeded })}
            done={t(isNeeded ? 'factor_left' : 'factor_wanted')}
          >
            {t(isNeeded ? 'no_want_text' : 'want_text')}
          </ConfirmButton>
        )
      }
    >
      <Pill tone={isNeeded ? 'ok' : 'off'} icon={isNeeded ? 'ok' : 'person'}>
        {t(isNeeded ? 'factor_needed' : 'factor_free')}
      </Pill>
      <p className={layout.help}>{t('factor_why')}</p>
      {!own && <p className={layout.help}>{t('only_owner')}</p>}
    </Panel>
  )
}
