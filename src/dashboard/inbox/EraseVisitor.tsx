import { Button } from '@mantine/core'
import { useState } from 'react'
import { api, ask } from '../app/api.ts'
import { useCompanyId } from '../app/company.ts'
import { queries } from '../app/queries.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { Icon } from '../parts/Icon.tsx'
import { sayDone } from '../parts/toasts.tsx'
import { useAct } from '../parts/use-act.ts'
import { useWords } from '../words/use-words.tsx'
import { paramOf } from './inbox-queries.ts'
import { customerWords } from './words-customer.ts'

/** What is kept of a visitor of the website is emptied for good, and who asks for it is asked again. */
export function EraseVisitor({ conversationId }: { conversationId: string }) {
  const t = useWords(customerWords)
  const companyId = useCompanyId()
  const { isBusy, run } = useAct()
  const [isAsking, setAsking] = useState(false)
  const erase = () =>
    run(async () => {
      const conversation = api.companies[':companyId'].conversations[':conversationId']
      const param = paramOf(companyId, conversationId)
      await ask(conversation['erase-visitor'].$post({ param, json: { confirm: true } }))
      setAsking(false)
      sayDone(t('visitor_erased'))
      await queries.invalidateQueries({ queryKey: ['conversation', companyId] })
    })
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
        isBusy={isBusy}
        onAct={() => void erase()}
        onClose={() => setAsking(false)}
      >
        {t('erase_visitor_why')}
      </Confirm>
    </>
  )
}
