import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { PageButton } from '../../parts/PageLink.tsx'
import { useGo } from '../../app/pages.ts'
import type { SourceWithText } from '../../../contract/dashboard/knowledge.ts'
import { useApi } from '../../app/resources.ts'
import { Ltr } from '../../parts/Code.tsx'
import { Crumbs } from '../../parts/Crumbs.tsx'
import { ConfirmButton } from '../../parts/Dialogs.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Banner, Details, PageHeader, Panel, ReadState } from '../../parts/Page.tsx'
import { Time } from '../../parts/Time.tsx'
import { ActButton } from '../../parts/ActButton.tsx'
import { ShowMore } from '../../parts/ListTable.tsx'
import { useWords } from '../../words/use-words.tsx'
import styles from './knowledge.module.css'
import { Pieces } from './Pieces.tsx'
import { chunksQuery, sourceQuery } from './queries.ts'
import { SourcePill } from './SourcePill.tsx'
import { knowledgeWords } from './words.ts'
import { Textarea, TextInput } from '@mantine/core'
import { KNOWLEDGE_LIMITS } from '../../../core/limits/knowledge.ts'
import { diffValues } from '../../parts/diff-values.ts'
import { Form, useApiForm } from '../../parts/form.tsx'
import layout from '../../parts/layout.module.css'

/** The page of one source: the reason of a failure, its text, and the passages in use. */
export function Source() {
  const t = useWords(knowledgeWords)
  const api = useApi()
  const { source: sourceId } = useParams({ from: '/p/$company/assistant/knowledge/$source' })
  const query = useQuery(sourceQuery(api, sourceId))
  const { data: source } = query
  if (!source) return <ReadState of={query} />
  return (
    <>
      <Crumbs items={[t('title'), <bdi key="title">{source.title}</bdi>]} />
      <PageHeader
        title={<bdi>{source.title}</bdi>}
        lead={source.url === null ? t(`kind_${source.kind}`) : <Ltr>{source.url}</Ltr>}
        pill={<SourcePill source={source} />}
        acts={<Acts source={source} />}
      />
      {source.state === 'failed' && (
        <Banner tone={source.chunks > 0 ? 'warn' : 'bad'} title={t('failed_title')}>
          {source.error?.text} {source.chunks > 0 && t('failed_old')}
        </Banner>
      )}
      <div className={styles.stack}>
        {(source.kind === 'page' || source.kind === 'file') && <About source={source} />}
        {source.text !== null && <EditSource source={source} text={source.text} />}
        <Found source={source} />
      </div>
    </>
  )
}

function Acts({ source }: { source: SourceWithText }) {
  const t = useWords(knowledgeWords)
  const api = useApi()
  const go = useGo()
  const { id: sourceId, isOn } = source
  return (
    <>
      <PageButton to="assistant/knowledge">{t('back')}</PageButton>
      <ActButton
        act={() => api.patch('knowledge/sources/:sourceId', { sourceId }, { isOn: !isOn })}
        done={t(isOn ? 'switched_off' : 'switched_on')}
      >
        {t(isOn ? 'switch_off' : 'switch_on')}
      </ActButton>
      <ConfirmButton
        label={t('delete')}
        button={{ leftSection: <Icon name="trash" /> }}
        title={t('delete_title', { title: source.title })}
        act={t('delete_act')}
        keep={t('delete_keep')}
        isGrave
        send={async () => {
          await api.delete('knowledge/sources/:sourceId', { sourceId })
          await go('assistant/knowledge', {})
        }}
        done={t('deleted')}
      >
        {t('delete_why')}
      </ConfirmButton>
      {isOn && (
        <ActButton
          variant="filled"
          leftSection={<Icon name="refresh" />}
          act={() => api.post('knowledge/sources/:sourceId/read', { sourceId })}
          done={t('read_again_done')}
        >
          {t('read_again')}
        </ActButton>
      )}
    </>
  )
}

function About({ source: { fileName, kind, fetchedAt, dueAt } }: { source: SourceWithText }) {
  const t = useWords(knowledgeWords)
  const time = (at: string | null) => (at === null ? t('never') : <Time at={at} />)
  const items =
    kind === 'file'
      ? ([[t('file'), <bdi key="file">{fileName}</bdi>]] as const)
      : ([
          [t('fetched'), time(fetchedAt)],
          [t('next'), time(dueAt)],
        ] as const)
  return (
    <Panel>
      <Details items={items} />
    </Panel>
  )
}

function Found({ source }: { source: SourceWithText }) {
  const t = useWords(knowledgeWords)
  const api = useApi()
  const version = `${source.state} ${source.updatedAt} ${source.fetchedAt} ${source.chunks}`
  const list = useInfiniteQuery(chunksQuery(api, source.id, version))
  const pieces = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Panel title={t('what_is_found')}>
      <ReadState of={list} rows={3} />
      {list.isSuccess && pieces.length === 0 && <p className={layout.lead}>{t('no_pieces')}</p>}
      <Pieces pieces={pieces.map((piece) => ({ key: String(piece.position), ...piece }))} />
      <ShowMore list={list} mt="md">
        {t('more_pieces')}
      </ShowMore>
    </Panel>
  )
}

/** A form for a source that was written in the dashboard. */
function EditSource({ source, text }: { source: SourceWithText; text: string }) {
  const t = useWords(knowledgeWords)
  const api = useApi()
  const isFaq = source.kind === 'faq'
  const values = { title: source.title, text }
  const form = useApiForm<{ title: string; text: string }>({
    values,
    version: source.updatedAt,
    onSubmit: async (typed) => {
      const json = diffValues(values, typed)
      await api.patch('knowledge/sources/:sourceId', { sourceId: source.id }, json)
    },
    done: t('saved'),
  })
  return (
    <Panel title={t('content')}>
      <Form form={form} className={layout.fields}>
        <TextInput
          label={t(isFaq ? 'question' : 'text_title')}
          maxLength={isFaq ? KNOWLEDGE_LIMITS.questionChars : KNOWLEDGE_LIMITS.titleChars}
          {...form.field('title')}
        />
        <Textarea
          label={t(isFaq ? 'answer' : 'text_body')}
          autosize
          minRows={4}
          maxRows={20}
          {...form.field('text')}
        />
      </Form>
    </Panel>
  )
}
