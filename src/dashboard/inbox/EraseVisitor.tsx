import { useApi } from '../app/resources.ts'
import { ConfirmButton } from '../parts/Dialogs.tsx'
import { Icon } from '../parts/Icon.tsx'
import { useWords } from '../words/use-words.tsx'
import { customerWords } from './words-customer.ts'

/** A button that erases the data of a website visitor permanently, after a confirmation. */
export function EraseVisitor({ conversationId }: { conversationId: string }) {
  const t = useWords(customerWords)
  const api = useApi()
  return (
    <ConfirmButton
      label={t('erase_visitor')}
      button={{ variant: 'default', leftSection: <Icon name="trash" size={16} /> }}
      title={t('erase_visitor_title')}
      act={t('erase_visitor')}
      isGrave
      send={() =>
        api.post(
          'conversations/:conversationId/erase-visitor',
          { conversationId },
          { confirm: true },
        )
      }
      done={t('visitor_erased')}
    >
      {t('erase_visitor_why')}
    </ConfirmButton>
  )
}
