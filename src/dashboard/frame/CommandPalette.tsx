import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, type NavigateOptions } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useGo } from '../app/pages.ts'
import type { FoundView } from '../../contract/dashboard/search.ts'
import { Ltr } from '../parts/Code.tsx'
import { Icon } from '../parts/Icon.tsx'
import { isComposing } from '../parts/is-composing.ts'
import type { IconName } from '../parts/icons.ts'
import { useEscape } from '../parts/Modal.tsx'
import { Failed, Kbd } from '../parts/Page.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { useApi } from '../app/resources.ts'
import { useCompanyId } from '../app/company.ts'
import { NAVIGATION } from './navigation.ts'
import styles from './palette.module.css'
import { useMay, useSession } from '../app/session.ts'
import { paletteWords } from './words-palette.ts'
import { appWords } from './words.ts'

const TYPING_MS = 150

const ICONS: Readonly<Record<FoundView['kind'], IconName>> = {
  contact: 'person',
  conversation: 'inbox',
  appointment: 'calendar',
  flow: 'flow',
  run: 'runs',
  event: 'webhook',
  delivery: 'send',
}

type Choice = {
  key: string
  icon: IconName
  kind: string
  title: string
  /** The text is an id, a phone number or a code, which stays from left to right. */
  isCode: boolean
  end: string
  go(): void
}

/**
 * A dialog that finds pages and the company's data by a text, and opens the result that the member chooses. A pasted id
 * opens its object directly.
 */
export function CommandPalette({ onClose, onKeys }: { onClose(): void; onKeys(): void }) {
  const t = useWords(paletteWords)
  const { setUp } = useMay()
  const listId = useId()
  const [text, setText] = useState('')
  const [isPasted, setPasted] = useState(false)
  const [active, setActive] = useState(0)
  const asked = useDebounced(text.trim(), isPasted)
  const { search, found, isSettled } = useFound(asked, text.trim(), onClose)
  const pages = usePages(text.trim(), onClose)
  const phone = usePhoneReader(text.trim(), onClose)
  const choices = [...found, ...pages, ...phone]
  const at = Math.min(active, choices.length - 1)
  useEscape(true, onClose)
  useEffect(() => setActive(0), [asked])
  useOpenOnlyResult(isPasted && isSettled, found, () => setPasted(false))
  const press = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && choices.length > 0) {
      event.preventDefault()
      setActive((at + step + choices.length) % choices.length)
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      choices[at]?.go()
    }
    if (event.key === '?' && text === '') {
      event.preventDefault()
      onKeys()
    }
  }
  return (
    <Modal.Root
      opened
      onClose={onClose}
      closeOnEscape={false}
      size={560}
      padding={0}
      yOffset="12dvb"
      centered={false}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={t('label')}>
        <div className={styles.head}>
          <Icon name="search" />
          <input
            className={styles.input}
            dir="auto"
            role="combobox"
            aria-expanded={choices.length > 0}
            aria-controls={listId}
            aria-activedescendant={choices.length > 0 ? `${listId}-${at}` : undefined}
            aria-label={t('label')}
            aria-autocomplete="list"
            placeholder={t(setUp ? 'placeholder' : 'placeholder_as_agent')}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            value={text}
            onPaste={() => setPasted(true)}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={press}
          />
          <button type="button" className={styles.close} onClick={onClose}>
            <span className="visually-hidden">{t('close')}</span>
            <Kbd>Esc</Kbd>
          </button>
        </div>
        <Notes {...{ search, isSettled }} text={text.trim()} hasChoices={choices.length > 0} />
        <ul id={listId} className={styles.list} role="listbox" aria-label={t('label')}>
          {choices.map((choice, index) => (
            <Option
              key={choice.key}
              id={`${listId}-${index}`}
              choice={choice}
              isActive={index === at}
              onPoint={() => setActive(index)}
            />
          ))}
        </ul>
        <Keys onKeys={onKeys} />
      </Modal.Content>
    </Modal.Root>
  )
}

/** Opens the object of a pasted text if the search finds only one. */
function useOpenOnlyResult(isReady: boolean, found: readonly Choice[], onReady: () => void): void {
  const go = useEffectEvent(() => {
    onReady()
    // A contact precedes its conversations, and an event its deliveries.
    const [first, ...others] = found
    if (first && others.every(({ kind }) => kind !== first.kind)) first.go()
  })
  useEffect(() => {
    if (isReady) go()
  }, [isReady])
}

/** Notes on the search, such as its progress and its limits. */
function Notes({
  text,
  search,
  isSettled,
  hasChoices,
}: { text: string; hasChoices: boolean } & Omit<ReturnType<typeof useFound>, 'found'>) {
  const t = useWords(paletteWords)
  const { data } = search
  return (
    <>
      {search.isError && (
        <div className={styles.note}>
          <Failed error={search.error} onRetry={() => void search.refetch()} />
        </div>
      )}
      {text === '' && <p className={styles.note}>{t('begin')}</p>}
      {isSettled && data?.isTooWide === true && <p className={styles.note}>{t('too_wide')}</p>}
      {isSettled && !hasChoices && data?.isTooWide === false && (
        <p className={styles.note} role="status">
          {t('nothing')} {t('nothing_why')}
        </p>
      )}
    </>
  )
}

/** The keys of the palette. */
function Keys({ onKeys }: { onKeys(): void }) {
  const t = useWords(paletteWords)
  return (
    <div className={styles.foot}>
      <Kbd>↑</Kbd>
      <Kbd>↓</Kbd> {t('move')}
      <Kbd>Enter</Kbd> {t('open')}
      <button type="button" onClick={onKeys}>
        <Kbd>?</Kbd> {t('all_keys')}
      </button>
    </div>
  )
}

function Option({
  id,
  choice,
  isActive,
  onPoint,
}: {
  id: string
  choice: Choice
  isActive: boolean
  onPoint(): void
}) {
  const ref = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isActive) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  const { icon, kind, title, isCode, end, go } = choice
  return (
    <li
      ref={ref}
      id={id}
      className={styles.item}
      role="option"
      aria-selected={isActive}
      onPointerMove={onPoint}
      onClick={go}
    >
      <Icon name={icon} />
      <span className={styles.kind}>{kind}</span>
      <span className={styles.title}>{isCode ? <Ltr>{title}</Ltr> : <bdi>{title}</bdi>}</span>
      <span className={styles.end}>
        <bdi>{end}</bdi>
      </span>
    </li>
  )
}

/** Returns the text once typing has paused; a pasted text is returned immediately. */
function useDebounced(text: string, isImmediate: boolean): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), isImmediate ? 0 : TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, isImmediate])
  return debounced
}

function useFound(asked: string, text: string, onClose: () => void) {
  const t = useWords(paletteWords)
  const app = useWords(appWords)
  const format = useFormat()
  const api = useApi()
  const companyId = useCompanyId()
  const navigate = useNavigate()
  const search = useQuery({ ...api.get('search', { text: asked }), enabled: asked !== '' })
  const items = text === '' ? [] : (search.data?.items ?? [])
  const found = items.map(({ kind, id, title, subtitle, at }): Choice => {
    return {
      key: `${kind}-${id}`,
      icon: ICONS[kind],
      kind: t(kind),
      title: title ?? subtitle ?? app('unnamed'),
      isCode: kind === 'event' || kind === 'appointment',
      end: [kind === 'run' || kind === 'delivery' ? null : subtitle, at && format.dateTime(at)]
        .filter((part) => part !== null && part !== '' && part !== title)
        .slice(0, 1)
        .join(''),
      go: () => {
        onClose()
        void navigate(addressOfFound({ kind, id }, companyId))
      },
    }
  })
  return { search, found, isSettled: asked !== '' && asked === text && search.isSuccess }
}

const LIKE_A_PHONE = /^[+\d٠-٩۰-۹][\d٠-٩۰-۹ ().-]{4,}$/

/** Returns a choice that shows how a hook reads a text that looks like a phone number, for Owners and Admins. */
function usePhoneReader(text: string, onClose: () => void): Choice[] {
  const t = useWords(paletteWords)
  const go = useGo()
  const { setUp } = useMay()
  if (!setUp || !LIKE_A_PHONE.test(text)) return []
  return [
    {
      key: 'phone',
      icon: 'phone',
      kind: t('tool'),
      title: t('read_as_phone'),
      isCode: false,
      end: '',
      go: () => {
        onClose()
        void go('developer-tools', {}, { tool: 'phone', value: text })
      },
    },
  ]
}

/** Returns the pages whose name, in the language of the interface, contains the text. */
function usePages(text: string, onClose: () => void): Choice[] {
  const t = useWords(paletteWords)
  const app = useWords(appWords)
  const companyId = useCompanyId()
  const navigate = useNavigate()
  const { role } = useSession()
  const wanted = text.toLocaleLowerCase()
  return NAVIGATION.flatMap(({ items }) => items)
    .filter(
      ({ word, roles }) => roles.includes(role) && app(word).toLocaleLowerCase().includes(wanted),
    )
    .map(({ word, icon, to }) => ({
      key: word,
      icon,
      kind: t('page'),
      title: app(word),
      isCode: false,
      end: '',
      go: () => {
        onClose()
        void navigate({ to, params: { company: companyId } })
      },
    }))
}

/** Returns the page that shows a search result. An event has no page, so the log of its deliveries is opened. */
function addressOfFound(
  { kind, id }: Pick<FoundView, 'kind' | 'id'>,
  company: string,
): NavigateOptions {
  switch (kind) {
    case 'contact':
      return { to: '/p/$company/contacts/$contact', params: { company, contact: id } }
    case 'conversation':
      return { to: '/p/$company/inbox/$conversation', params: { company, conversation: id } }
    case 'appointment':
      return { to: '/p/$company/appointments/$appointment', params: { company, appointment: id } }
    case 'flow':
      return { to: '/p/$company/flows/$flowId', params: { company, flowId: id } }
    case 'run':
      return { to: '/p/$company/runs/$run', params: { company, run: id } }
    case 'event':
      return { to: '/p/$company/webhooks/deliveries', params: { company }, search: { q: id } }
    case 'delivery':
      return { to: '/p/$company/webhooks/deliveries/$delivery', params: { company, delivery: id } }
  }
}
