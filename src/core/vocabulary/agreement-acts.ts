/** Words by which a customer names what they agree to, as people write them; readers fold them first. */

/** Verb forms and verbal substantives of each act, one line for each; the first act is cancelling. */
export const ACT_FAMILIES: readonly string[] = [
  'cancel cancelling canceling cancellation cancelled canceled cancle الغاء الغي الغ الغيه الغيها الغوه الغوا الغو تلغي تلغيه تلغيها تلغوه تلغوا تلغو نلغي يلغي كنسل كنسله كنسلها تكنسل elgha elgha2 el8a2 elghi telghi',
  'change changing update updating modify modifying edit editing amend switch تغيير تعديل تبديل تحديث تغير تغيره تغيرها تغيروا تغيروه تعدل تعدله تعدلوا تبدل تبدله taghyeer ta3deel tghayer',
  'move moving reschedule rescheduling postpone نقل تاجيل تنقل تنقله تنقلوا تاجل تاجله تاجلوا تقديم',
  'book booking reserve reserving schedule حجز تحجز تحجزه تحجزها تحجزوا 7ajz',
  'refund refunding return returning استرداد استرجاع ارجاع ترجع ترجعه ترجعوا اعاده',
  'exchange exchanging replace replacing swap swapping استبدال تبديل تستبدل تبدل',
  'send sending resend ارسال ترسل ترسله ترسلوا تبعت تبعته',
  'pay paying charge charging دفع خصم تخصم تخصموا',
  'add adding اضافه تضيف تضيفوا',
  'remove removing delete deleting حذف ازاله تحذف تحذفوا تشيل',
  'open opening create creating submit submitting file فتح انشاء تقديم رفع تسجيل تفتح تسجل',
  'stop stopping pause pausing ايقاف توقف توقفوا',
  'renew renewing extend extending تجديد تمديد تجدد تمدد',
  'confirm confirming تاكيد',
]

/** Words for what a customer cancels, such as an order or a booking. */
export const CANCELLED_OBJECTS =
  'order orders booking appointment reservation request subscription visit طلب طلبيه طلبي اوردر حجز موعد ميعاد معاد اشتراك زياره talab order maw3ed'

/** Words between an agreement and its object. */
export const ACT_JOINS =
  'to the this that my your it of on with for please you u على علي ان انك انكم تقوم ب في من عن هذا هذه هذي هال ذلك لي ال el al 3ala'

/** Words after which the object of an agreement may follow. */
export const AGREES_TO =
  'agree agreed confirm confirmed approve accept consent موافق موافقه موافقين اوافق نوافق اوكد نوكد اكد باكد بوافق اقبل بقبل مانع mwafe2 mwafeq mowafeq muwafiq awafe2'
