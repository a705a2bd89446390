import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { PageAddress } from '../app/pages.ts'
import { Icon } from '../parts/Icon.tsx'
import type { IconName } from '../parts/icons.ts'
import { Panel } from '../parts/Page.tsx'
import { PageButton } from '../parts/PageLink.tsx'
import { useLanguage } from '../words/language.ts'
import { useWords } from '../words/use-words.tsx'
import styles from './home.module.css'
import { homeWords } from './words.ts'

/** The keyword of a flow of the demonstration. */
const ARABIC_WORD = 'مساعدة'

/** A panel with suggestions for trying the demonstration, such as writing from a simulated phone. */
export function Demonstration({ phonesUrl }: { phonesUrl: string | null }) {
  const t = useWords(homeWords)
  const { language, choose } = useLanguage()
  return (
    <Panel title={t('demonstration')}>
      <p className={styles.demonstrationLead}>{t('demonstration_why')}</p>
      <ul className={styles.tries}>
        <Try icon="runs" title={t('see_run')} why={t('see_run_why')}>
          <PageAct to="runs" name={t('see_run')} />
        </Try>
        {phonesUrl !== null && (
          <Try icon="phone" title={t('be_customer')} why={t('be_customer_why')}>
            <PhonesAct url={phonesUrl} name={t('be_customer')} />
          </Try>
        )}
        <Try icon="rotate" title={t('break_receiver')} why={t('break_receiver_why')}>
          <PageAct to="webhooks" name={t('break_receiver')} />
        </Try>
        <Try icon="globe" title={t('in_arabic')} why={t('in_arabic_why', { text: ARABIC_WORD })}>
          <Button
            size="compact-md"
            lang={language === 'ar' ? 'en' : 'ar'}
            onClick={() => choose(language === 'ar' ? 'en' : 'ar')}
          >
            {language === 'ar' ? t('in_english_act') : t('in_arabic_act')}
          </Button>
        </Try>
      </ul>
    </Panel>
  )
}

function Try({
  icon,
  title,
  why,
  children,
}: {
  icon: IconName
  title: string
  why: string
  children: ReactNode
}) {
  return (
    <li className={styles.try}>
      <Icon name={icon} size={18} />
      <div className={styles.stepText}>
        <div className={styles.stepTitle}>{title}</div>
        <div className={styles.stepDetail}>{why}</div>
      </div>
      {children}
    </li>
  )
}

function PageAct({ to, name }: { to: PageAddress; name: string }) {
  const t = useWords(homeWords)
  return (
    <PageButton at={to} size="compact-md" aria-label={`${t('open')}: ${name}`}>
      {t('open')}
    </PageButton>
  )
}

function PhonesAct({ url, name }: { url: string; name: string }) {
  const t = useWords(homeWords)
  return (
    <Button
      size="compact-md"
      component="a"
      href={url}
      target="_blank"
      rel="noopener"
      aria-label={`${t('open')}: ${name}. ${t('opens_tab')}`}
      rightSection={<Icon name="external" size={14} />}
    >
      {t('open')}
    </Button>
  )
}
