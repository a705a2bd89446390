import { useApi } from '../../app/resources.ts'
import { Icon } from '../../parts/Icon.tsx'
import { Time } from '../../parts/Time.tsx'
import { ActButton } from '../../parts/ActButton.tsx'
import { Rich, useWords } from '../../words/use-words.tsx'
import { CAPABILITIES } from '../../../rules/messaging/channel-capabilities.ts'
import type { TemplateView } from '../../../contract/dashboard/template.ts'
import { useBuilderContext } from '../builder-context.ts'
import type { StepOf } from '../draft.ts'
import styles from '../flows.module.css'
import stepsStyles from './steps.module.css'
import { formWords } from '../words-forms.ts'
import { FilledText, OneOf, NotSentExit } from './fields.tsx'
import {
  mainNext,
  onlyNext,
  optionalExit,
  type FormProps,
  type SayStep,
  type StepKindDesign,
} from './step-kind.ts'

type SendTemplate = StepOf<'send_template'>

export const SEND_TEMPLATE: StepKindDesign<SendTemplate> = {
  icon: 'template',
  group: 'talk',
  make: ({ templates }) => {
    const first = templates.find(
      ({ status, slots }) => status === 'APPROVED' && slots.unsupported === null,
    )
    return {
      kind: 'send_template',
      next: null,
      onNotSent: null,
      ...(first ? filledFor(first) : { ...NO_VALUES, template: '', language: 'ar' }),
    }
  },
  exits: (step) => [
    ...onlyNext(step),
    ...optionalExit('onNotSent', step.onNotSent, 'exit_not_sent'),
  ],
  main: mainNext,
  sendsTemplate: true,
  summary: ({ template }, say, { templates }) => {
    const languages = templates.filter(({ name }) => name === template)
    return {
      title: template || say('nothing_yet'),
      isCode: template !== '',
      ...(languages.length > 0 && {
        detail: languages.map(({ language }) => languageName(language, say)).join(' · '),
      }),
    }
  },
  Form,
}

/** Returns the name of a language. Providers write `ar` and `en_GB`; other languages keep their tag. */
function languageName(tag: string, say: SayStep): string {
  if (/^ar\b|^ar_/.test(tag)) return say('ar')
  return /^en\b|^en_/.test(tag) ? say('en') : tag
}

const NO_VALUES = { header: null, body: [], urlSuffixes: [] }

/** Returns a template with empty placeholders. */
function filledFor({ name, language, slots }: TemplateView) {
  return {
    template: name,
    language,
    header: slots.header === null ? null : '',
    body: slots.body.map((variable) => ({ name: variable, text: '' })),
    urlSuffixes: slots.urlSuffixes.map(({ index }) => ({ index, text: '' })),
  }
}

function Form({ id, step, set, openExit, closeExit, field }: FormProps<SendTemplate>) {
  const t = useWords(formWords)
  const { templates, channel } = useBuilderContext()
  const names = [...new Set(templates.map(({ name }) => name))]
  const versions = templates.filter(({ name }) => name === step.template)
  const version = versions.find(({ language }) => language === step.language)
  const at = `steps.${id}`
  const choose = (name: string) => {
    const chosen =
      templates.find((one) => one.name === name && one.language === step.language) ??
      templates.find((one) => one.name === name)
    if (chosen) set(filledFor(chosen))
  }
  if (channel && !CAPABILITIES[channel.type].hasTemplates) return <p>{t('no_templates_here')}</p>
  return (
    <>
      <OneOf
        at={`${at}.template`}
        label={t('template')}
        value={step.template}
        options={[
          ...names.map((value) => ({
            value,
            label: value,
            isDisabled: !templates.some((one) => one.name === value && isSendable(one)),
          })),
          ...(step.template === '' || names.includes(step.template)
            ? []
            : [{ value: step.template, label: step.template }]),
        ]}
        onChange={choose}
      />
      <Synced />
      {versions.length > 0 && (
        <OneOf
          label={t('template_language')}
          help={t('template_language_help')}
          options={versions.map((one) => ({
            value: one.language,
            label: isSendable(one) ? one.language : `${one.language} · ${one.status}`,
          }))}
          {...field('language')}
        />
      )}
      {version && <Preview version={version} step={step} />}
      <Values id={id} step={step} set={set} version={version} />
      <NotSentExit step={step} openExit={openExit} closeExit={closeExit} />
    </>
  )
}

/** The values for the placeholders of the template. */
function Values({
  id,
  step,
  set,
  version,
}: Pick<FormProps<SendTemplate>, 'id' | 'step' | 'set'> & { version: TemplateView | undefined }) {
  const t = useWords(formWords)
  const at = `steps.${id}`
  return (
    <>
      {version?.slots.header != null && (
        <FilledText
          at={`${at}.header`}
          label={t('template_header')}
          isLine
          value={step.header ?? ''}
          onChange={(header) => set({ header })}
        />
      )}
      {step.body.map(({ name, text }, place) => (
        <FilledText
          key={place}
          at={`${at}.body[${place}]`}
          label={t('template_value', { name: `{{${name}}}` })}
          isLine
          value={text}
          onChange={(value) =>
            set({
              body: step.body.map((one, index) => (index === place ? { name, text: value } : one)),
            })
          }
        />
      ))}
      {step.urlSuffixes.map(({ index, text }, place) => (
        <FilledText
          key={`button${index}`}
          at={`${at}.urlSuffixes`}
          label={t('template_link', {
            name: version?.slots.urlSuffixes.find((one) => one.index === index)?.text ?? '',
          })}
          isLine
          isCode
          value={text}
          onChange={(value) =>
            set({
              urlSuffixes: step.urlSuffixes.map((one, other) =>
                other === place ? { index, text: value } : one,
              ),
            })
          }
        />
      ))}
    </>
  )
}

const isSendable = ({ status, slots }: TemplateView) =>
  status === 'APPROVED' && slots.unsupported === null

/** The time of the last sync of templates from the provider, and a button to sync now. */
function Synced() {
  const t = useWords(formWords)
  const { templates, channel, mayEdit } = useBuilderContext()
  const api = useApi()
  const latest = templates
    .map(({ syncedAt }) => syncedAt)
    .toSorted()
    .at(-1)
  if (!channel || !mayEdit) return null
  return (
    <div className={styles.row}>
      <span className={styles.help}>
        {latest === undefined ? (
          t('never_synced')
        ) : (
          <Rich words={formWords} say="synced" with={{ time: <Time at={latest} /> }} />
        )}
      </span>
      <ActButton
        size="xs"
        leftSection={<Icon name="refresh" />}
        act={() => api.post('channels/:channelId/templates/sync', { channelId: channel.id })}
      >
        {t('sync_now')}
      </ActButton>
    </div>
  )
}

/** A preview of the template with the values so far. */
function Preview({ version, step }: { version: TemplateView; step: SendTemplate }) {
  const t = useWords(formWords)
  const { slots } = version
  const valueOf = (name: string) => {
    const place = slots.body.indexOf(name)
    const given = step.body.find((one) => one.name === name) ?? step.body[place]
    return given?.text || `{{${name}}}`
  }
  const body = (version.body ?? '').split(/\{\{([^{}]+)\}\}/)
  return (
    <figure className={stepsStyles.preview}>
      <figcaption>{t('template_preview')}</figcaption>
      <div dir="auto" className={stepsStyles.bubble}>
        {version.header !== null && <strong>{version.header}</strong>}
        <div>
          {body.map((piece, at) =>
            at % 2 === 0 ? piece : <mark key={at}>{valueOf(piece.trim())}</mark>,
          )}
        </div>
      </div>
      {slots.quickReplies.map(({ index, text }) => (
        <div key={index} dir="auto" className={stepsStyles.quickReply}>
          {text}
        </div>
      ))}
    </figure>
  )
}
