import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useGo } from '../app/pages.ts'
import type { ContactView } from '../../contract/dashboard/contact.ts'
import { useApi } from '../app/resources.ts'
import { type ApiError } from '../app/api.ts'
import { newKey } from '../app/new-key.ts'
import type { TemplateValues } from '../inbox/drafts.ts'
import { FillTemplate } from '../inbox/FillTemplate.tsx'
import { Modal } from '../parts/Modal.tsx'
import { Banner, ReadState } from '../parts/Page.tsx'
import { phoneGroups } from '../parts/phone-groups.ts'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useChannelName } from '../parts/use-channel-name.ts'
import { useLanguageName } from '../words/use-language-name.ts'
import { useWords } from '../words/use-words.tsx'
import styles from './contacts.module.css'
import { writeWords } from './words-write.ts'

type Filled = Parameters<Parameters<typeof FillTemplate>[0]['onSend']>[0]

/** A form that sends a template to a contact who may never have written: the channel, the template, and a preview. */
export function WriteFirst({ contact, onClose }: { contact: ContactView; onClose(): void }) {
  const t = useWords(writeWords)
  const channelName = useChannelName()
  const languageName = useLanguageName()
  const api = useApi()
  const ways = useQuery({
    ...api.get('contacts/:contactId/ways-to-write', { contactId: contact.id }),
    staleTime: 0,
  })
  const [channelId, setChannelId] = useState<string | null>(null)
  const [templateId, setTemplateId] = useState<string | null>(null)
  const [values, setValues] = useState<TemplateValues | null>(null)
  const chooseTemplate = (id: string | null) => {
    setTemplateId(id)
    setValues(null)
  }
  const { isBusy, refusal, send } = useFirst(contact.id)
  const items = ways.data?.items ?? []
  const way = items.find(({ channel }) => channel.id === channelId) ?? items[0]
  const template = way?.templates.find(({ id }) => id === templateId)
  return (
    <Modal opened onClose={onClose} title={t('title')}>
      <div className={styles.write}>
        <ReadState of={ways} rows={2} />
        {ways.isSuccess && items.length === 0 && <p>{t('no_channel')}</p>}
        {way && (
          <Select
            label={t('channel')}
            allowDeselect={false}
            data={items.map(({ channel: { id, name, type, displayNumber } }) => ({
              value: id,
              label:
                name ??
                (displayNumber === null
                  ? channelName(type)
                  : t('number', { number: phoneGroups(`+${displayNumber}`).join('\u00a0') })),
            }))}
            value={way.channel.id}
            onChange={(id) => {
              setChannelId(id)
              chooseTemplate(null)
            }}
          />
        )}
        {way?.whyNot && <Banner tone="warn" title={way.whyNot.text} />}
        {way && way.whyNot === null && way.templates.length === 0 && <p>{t('no_templates')}</p>}
        {way && way.templates.length > 0 && (
          <Select
            label={t('template')}
            placeholder={t('choose')}
            searchable
            nothingFoundMessage={t('none_found')}
            data={way.templates.map(({ id, name, language }) => ({
              value: id,
              label: t('template_in', { name, language: languageName(language) }),
            }))}
            value={templateId}
            onChange={chooseTemplate}
          />
        )}
        {refusal && (
          <div role="alert">
            <Banner tone="bad" title={refusal.errors[0]?.message ?? refusal.detail} />
          </div>
        )}
        {way && template && (
          <FillTemplate
            key={template.id}
            template={template}
            contactName={contact.name}
            values={values}
            onValues={setValues}
            isBusy={isBusy}
            foot={(inside) => <div className={styles.writeFoot}>{inside}</div>}
            onSend={(filled) => void send(way.channel.id, filled)}
          />
        )}
      </div>
    </Modal>
  )
}

/** Returns the function that sends the first message; an error is shown in the form. */
function useFirst(contactId: string) {
  const api = useApi()
  const go = useGo()
  const [refusal, setRefusal] = useState<ApiError | null>(null)
  // The idempotency key of one message, however often it is sent.
  const [key] = useState(newKey)
  const { isBusy, run } = useApiMutation()
  const send = async (to: string, filled: Filled) => {
    const json = { contactId, channelId: to, key, template: filled }
    setRefusal(null)
    const sent = await run(() => api.post('conversations', json), {
      onRefused: (why) => {
        // A failed connection is reported like that of any act.
        if (why.status === 0) return false
        setRefusal(why)
        return true
      },
    })
    if (sent === null) return
    await go('inbox/$conversation', { conversation: sent.conversation.id })
  }
  return { isBusy, refusal, send }
}
