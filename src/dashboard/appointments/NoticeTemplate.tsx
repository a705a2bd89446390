import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../app/resources.ts'
import { useWords } from '../words/use-words.tsx'
import { setupWords } from './words-setup.ts'

const PAGE = '100'

/** A choice of the approved template for customers who have no conversation that accepts a message at that time. */
export function NoticeTemplate({
  channelId,
  name,
  error,
  onChoose,
}: {
  channelId: string
  name: string
  error: string | undefined
  onChoose(channelId: string, name: string): void
}) {
  const t = useWords(setupWords)
  const api = useApi()
  const query = { status: 'APPROVED', limit: PAGE }
  const { data } = useQuery(api.get('templates', query))
  const chosen = name === '' ? [] : [{ channelId, name }]
  // A template may exist in several languages, of which the customer's is sent.
  const known = new Map(
    [...chosen, ...(data?.items ?? [])].map((one) => [`${one.channelId} ${one.name}`, one]),
  )
  return (
    <Select
      label={t('notice_template')}
      description={t('notice_template_why')}
      placeholder={t('no_notice_template')}
      clearable
      searchable
      error={error}
      value={name === '' ? null : `${channelId} ${name}`}
      data={[...known].map(([value, one]) => ({ value, label: one.name }))}
      onChange={(value) => {
        const template = known.get(value ?? '')
        onChoose(template?.channelId ?? '', template?.name ?? '')
      }}
    />
  )
}
