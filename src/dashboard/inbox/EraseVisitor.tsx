import { Button } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../app/resources.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { Icon } from '../parts/Icon.tsx'
import { useWords } from '../words/use-words.tsx'
import { customerWords } from './words-customer.ts'

/** What is kept of a visitor of the website is emptied for good, and who asks for it is asked again. */
export function EraseVisitor({ conversationId }: { conversationId: string }) {
  const t = useWords(customerWords)
  const api = useApi()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="trash" size={16} />}
        onClick={() => setAsking(true)}
      >
        {t('erase_visitor')}
      </Button>
      <Confirm
        isOpen={isAsking}
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
        onClose={() => setAsking(false)}
      >
        {t('erase_visitor_why')}
      </Confirm>
    </>
  )
}
