import { Button, FileButton } from '@mantine/core'
import { useApi } from '../../app/resources.ts'
import { Icon } from '../../parts/Icon.tsx'
import { useApiMutation } from '../../parts/use-api-mutation.ts'
import { useFormat } from '../../words/format.ts'
import { useWords } from '../../words/use-words.tsx'
import { useBuilderContext } from '../builder-context.ts'
import type { StepOf } from '../draft.ts'
import { formWords } from '../words-forms.ts'
import { FilledText, OneOf, NotSentExit } from './fields.tsx'
import {
  mainNext,
  onlyNext,
  optionalExit,
  type FormProps,
  type StepKindDesign,
} from './step-kind.ts'

type SendMedia = StepOf<'send_media'>

export const SEND_MEDIA: StepKindDesign<SendMedia> = {
  icon: 'image',
  group: 'talk',
  make: ({ files }) => ({
    kind: 'send_media',
    fileId: files[0]?.id ?? '',
    caption: null,
    next: null,
    onNotSent: null,
  }),
  exits: (step) => [
    ...onlyNext(step),
    ...optionalExit('onNotSent', step.onNotSent, 'exit_not_sent'),
  ],
  main: mainNext,
  needsTemplateBefore: true,
  summary: ({ fileId, caption }, say, { files }) => ({
    title: files.find(({ id }) => id === fileId)?.name ?? say('nothing_yet'),
    ...(caption !== null && { detail: caption }),
  }),
  Form,
}

function Form({ step, set, openExit, closeExit, field, text }: FormProps<SendMedia>) {
  const t = useWords(formWords)
  const format = useFormat()
  const { files, mayEdit } = useBuilderContext()
  const api = useApi()
  const { isBusy, run } = useApiMutation()
  const upload = async (file: File | null) => {
    if (!file) return
    const kept = await run(() => api.post('files', { name: file.name, purpose: 'flow' }, file))
    if (!kept) return
    set({ fileId: kept.id })
  }
  return (
    <>
      <OneOf
        label={t('file')}
        options={files.map((file) => ({
          value: file.id,
          label: `${file.name ?? file.id} · ${format.bytes(file.size ?? 0)}`,
        }))}
        {...field('fileId')}
      />
      {mayEdit && (
        <FileButton onChange={(file) => void upload(file)}>
          {(props) => (
            <Button {...props} loading={isBusy} leftSection={<Icon name="upload" />}>
              {t('upload')}
            </Button>
          )}
        </FileButton>
      )}
      <FilledText label={t('caption')} {...text('caption')} />
      <NotSentExit step={step} openExit={openExit} closeExit={closeExit} />
    </>
  )
}
