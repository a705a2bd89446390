import { useRef } from 'react'
import { useApi } from '../app/resources.ts'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useFormat } from '../words/format.ts'
import { IconButton } from '../parts/IconButton.tsx'
import { useWords } from '../words/use-words.tsx'
import type { FileView } from '../../contract/dashboard/file.ts'
import { FILE_LIMITS } from '../../core/limits/files.ts'
import { whyNotSendable } from '../../rules/messaging/sendable-media.ts'
import type { Capabilities } from '../../rules/messaging/channel-capabilities.ts'
import { FILE_TYPE_NAMES, namesBySize } from '../../core/vocabulary/files.ts'
import { composerWords } from './words-composer.ts'

type Media = NonNullable<Capabilities['media']>

/**
 * A button that chooses a file and uploads it. Files that the channel cannot send are refused before sending: by the
 * type that the browser reports before the upload, and by the type that the service detects after it.
 *
 * @param onRefused gets the reason as a text, and null once another file is chosen.
 */
export function AttachButton({
  media,
  onFile,
  onRefused,
}: {
  media: Media
  onFile(file: FileView): void
  onRefused(why: string | null): void
}) {
  const t = useWords(composerWords)
  const api = useApi()
  const whyNot = useWhyNot(media)
  const { isBusy, run } = useApiMutation()
  const field = useRef<HTMLInputElement>(null)
  const accept = Object.values(media.kinds).flatMap(({ types }) => types)
  const upload = async (file: File) => {
    const { name } = file
    // Browsers report nonstandard names for some types. A type that is not among the known ones is checked after the
    // upload.
    const isKnown = file.type in FILE_TYPE_NAMES || file.type.startsWith('image/')
    const early = isKnown ? whyNot({ name, mediaType: file.type, size: file.size }) : null
    onRefused(early)
    if (early !== null) return
    const uploaded = await run(() => api.post('files', { name, purpose: 'message' }, file))
    if (!uploaded) return
    const { mediaType, size } = uploaded
    const why = whyNot({ name, mediaType: mediaType ?? '', size: size ?? file.size })
    onRefused(why)
    if (why === null) onFile(uploaded)
  }
  return (
    <>
      <IconButton
        hasTip
        icon="attach"
        label={t('attach')}
        size={32}
        loading={isBusy}
        onClick={() => field.current?.click()}
      />
      <input
        ref={field}
        type="file"
        hidden
        aria-label={t('attach')}
        accept={[...new Set(accept)].join(',')}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          event.currentTarget.value = ''
          if (file) void upload(file)
        }}
      />
    </>
  )
}

/** Returns a function that explains why a channel cannot send a file, or returns null if it can. */
function useWhyNot(media: Media) {
  const t = useWords(composerWords)
  const format = useFormat()
  return ({ name, ...file }: { name: string; mediaType: string; size: number }): string | null => {
    const why = whyNotSendable(file, { media })
    const tooLarge = (most: number) =>
      t('file_size', { name, size: format.bytes(file.size), most: format.bytes(most) })
    if (why === null) return file.size > FILE_LIMITS.bytes ? tooLarge(FILE_LIMITS.bytes) : null
    if (why.code === 'file_too_large_for_channel') return tooLarge(why.params.max)
    if (why.code !== 'file_type_not_sendable') return null
    const kinds = namesBySize(why.params.types, why.params.maxBytes).map(({ names, max: most }) =>
      t('file_kinds', { names: names.join(t('comma')), most: format.bytes(most!) }),
    )
    return t('file_kind', { name, kinds: kinds.join(t('semicolon')) })
  }
}
