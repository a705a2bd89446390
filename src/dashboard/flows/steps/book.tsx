import { APPOINTMENT_VARIABLES } from '../../../rules/appointments/appointment-values.ts'
import { useNamed } from '../../words/use-named.ts'
import { useWords } from '../../words/use-words.tsx'
import { useBuilderContext } from '../builder-context.ts'
import type { StepOf } from '../draft.ts'
import { formWords } from '../words-forms.ts'
import { Retries } from './ask.tsx'
import { FilledText, Minutes, OneOf, OptionalExit } from './fields.tsx'
import { mainNext, optionalExit, type FormProps, type StepKindDesign } from './step-kind.ts'

type Book = StepOf<'book'>

export const BOOK: StepKindDesign<Book> = {
  icon: 'calendar',
  group: 'customer',
  make: ({ services }) => ({
    kind: 'book',
    serviceId: services.find(({ canBeBooked }) => canBeBooked)?.id ?? '',
    resourceId: null,
    text: '',
    retries: 2,
    retryText: null,
    timeoutMinutes: 24 * 60,
    next: null,
    onNone: null,
    onInvalid: null,
    onTimeout: null,
    onNotSent: null,
  }),
  exits: ({ next, onNone, onInvalid, onTimeout, onNotSent }) => [
    { exit: 'next', to: next, label: (say) => say('exit_booked'), tone: 'ok' },
    { exit: 'onTimeout', to: onTimeout, label: (say) => say('exit_timeout'), tone: 'bad' },
    ...optionalExit('onNone', onNone, 'exit_none_free'),
    ...optionalExit('onInvalid', onInvalid, 'exit_no_answer'),
    ...optionalExit('onNotSent', onNotSent, 'exit_not_sent'),
  ],
  main: mainNext,
  needsTemplateBefore: true,
  sets: (_, exit) => (exit === 'next' ? APPOINTMENT_VARIABLES : []),
  summary: ({ serviceId, text }, say, { services }) => ({
    title: services.find(({ id }) => id === serviceId)?.name ?? say('nothing_yet'),
    ...(text !== '' && { detail: text }),
  }),
  Form,
}

function Form({ id, step, set, openExit, closeExit, field, text }: FormProps<Book>) {
  const t = useWords(formWords)
  const { services, resources } = useBuilderContext()
  const named = useNamed()
  const ways = [
    ['onNone', 'way_none', 'way_handover_help'],
    ['onInvalid', 'way_invalid', 'way_handover_help'],
    ['onNotSent', 'way_not_sent', 'way_not_sent_help'],
  ] as const
  return (
    <>
      <OneOf
        label={t('service')}
        help={services.length === 0 ? t('no_services') : undefined}
        options={services.map((service) => ({
          value: service.id,
          label: named(service),
          isDisabled: !service.canBeBooked,
        }))}
        {...field('serviceId')}
      />
      <OneOf
        label={t('resource')}
        options={[
          { value: '', label: t('anyone') },
          ...resources.map((resource) => ({ value: resource.id, label: named(resource) })),
        ]}
        {...text('resourceId')}
      />
      <FilledText label={t('book_text')} help={t('book_text_help')} {...field('text')} />
      <Retries id={id} step={step} set={set} text={text} />
      <Minutes label={t('waits_at_most')} {...field('timeoutMinutes')} />
      {ways.map(([exit, label, help]) => (
        <OptionalExit
          key={exit}
          label={t(label)}
          help={t(help)}
          isOpen={step[exit] !== null}
          onOpen={() => openExit(exit)}
          onClose={() => closeExit(exit)}
        />
      ))}
    </>
  )
}
