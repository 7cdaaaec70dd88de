// What is said of workers, leases and stores, in Indonesian.
import type { enWorkers } from './en-workers.ts'
import type { Translated } from './message.ts'

export const idWorkers: Translated<typeof enWorkers> = {
  'nav.workers': 'Pekerja',
  'workers.title': 'Pekerja',
  'workers.worker': 'Pekerja',
  'workers.condition': 'Keadaan',
  'workers.crawls': 'Perayapan',
  'workers.pairs': 'Pasangan',
  'workers.pairCount': '{n} pasangan',
  'workers.cpu': 'CPU',
  'workers.cores': 'Inti terpakai',
  'workers.memory': 'Memori',
  'workers.speed': 'Halaman/d',
  'workers.leases': 'Sewa',
  'workers.since': 'Sejak',
  'workers.declined': 'tidak ikut {id}:',
  'workers.none': 'Tidak ada pekerja',
  'workers.noneText':
    'Perayapan menunggu sampai ada pekerja. Setiap mesin yang dapat menjangkau PostgreSQL dan Redis yang sama bisa menjadi pekerja:',
  'workers.noneHere': 'Tidak ada yang sedang mengerjakan perayapan ini.',
  'workers.alone': 'Semuanya dikerjakan di mesin ini',
  'workers.aloneText': 'Pekerja ada bila perayapan disimpan di PostgreSQL dan Redis.',
  'worker.working': 'Bekerja',
  'worker.waiting': 'Menunggu perayapan',
  'worker.leaving': 'Sedang pergi',
  'worker.gone': 'Hilang sejak {time}',
  'waiting.title': 'Menunggu pekerja',
  'waiting.text':
    'Tidak ada yang diambil sebelum ada pekerja: jalankan “jelajah worker” dengan --data dan --frontier yang sama, di mesin mana pun.',
  'leases.title': '{n} URL sedang disewa',
  'leases.hosts': 'Host, dan diserahkan kepada siapa',
  'leases.until': 'sampai {time}',
  'shards.title': 'Pecahan antrean',
  'shards.keys': 'Kunci',
  'shards.urls': 'URL',
  'shards.leased': 'Disewa',
  'stores.away': '{store} tidak dapat dijangkau sejak {time}.',
  'stores.rest': 'Perayapan berhenti sementara, dan lanjut sendiri begitu tersambung lagi.',
  'stores.givesUp':
    'Bila belum kembali pada {time}, server dan pekerja berhenti; perayapan lanjut saat dijalankan lagi.',
  'stores.back': '{store} sudah kembali; perayapan lanjut.',
}
