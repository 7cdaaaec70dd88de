// What the views of jobs say.
import type { enJob } from './en-job.ts'
import type { Message } from './i18n.ts'

export const idJob: Readonly<Record<keyof typeof enJob, Message>> = {
  'job.documentTitle': '{name}',
  'job.views': 'Tampilan perayapan ini',
  'job.gone': 'Perayapan ini tidak ada',
  'job.goneText': '{id} sudah dihapus, atau memang tidak pernah ada.',
  'job.next': 'Giliran berikutnya, begitu perayapan lain selesai.',
  'job.ahead': '{n} perayapan mendapat giliran lebih dulu.',
  'tab.job': 'Ringkasan',
  'tab.pages': 'Halaman',
  'tab.map': 'Peta halaman',
  'tab.sites': 'Peta situs',
  'tab.search': 'Cari',
  'confirm.stop': 'Hentikan {id}?',
  'confirm.stopText':
    'Yang sedang diambil diselesaikan dan disimpan ({n} halaman sejauh ini). Nanti dapat dilanjutkan.',
  'confirm.remove': 'Hapus {id}?',
  'confirm.removeText':
    'Perayapan ini dan semua yang disimpannya ({n} halaman) dihapus. Tidak dapat dibatalkan.',
}
