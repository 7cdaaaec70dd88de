// What a report of `simulate` says.
import type { enReport } from './en-report.ts'
import type { Translated } from './message.ts'

export const idReport: Translated<typeof enReport> = {
  'report.title': 'Perbandingan urutan perayapan',
  'report.figure': 'Gambar {n}. {title}.',
  'report.table': 'Tabel {n}. {title}.',
  'report.ordering': 'urutan',
  'report.ideal': 'ideal',
  'report.random': 'acak',
  'report.legend': 'Urutan, yang terbaik lebih dahulu',
  'report.axisShare': 'halaman terjangkau yang sudah diambil, %',
  'report.axisHours': 'jam virtual',
  'report.reproduce': 'Ulangi dengan',
  'report.referencesNote':
    'Abu-abu: “ideal” mengambil halaman terbaik lebih dahulu seakan-akan semuanya sudah diketahui, “acak” mengambil sembarang halaman.',
  'report.harvest.title': 'Laju panen',
  'report.harvest.axis': 'halaman relevan di antara yang sudah diambil, %',
  'report.harvest.what':
    'Berapa banyak dari halaman yang sudah diambil ternyata relevan. Semua kurva akhirnya turun karena halaman relevan makin habis.',
  'report.recall.title': 'Perolehan (recall)',
  'report.recall.axis': 'halaman relevan yang ditemukan, %',
  'report.recall.what': 'Berapa banyak dari semua halaman relevan yang terjangkau sudah diambil.',
  'report.ofIdeal.title': 'Halaman relevan dibanding yang ideal',
  'report.ofIdeal.axis': 'dari yang mungkin dicapai, %',
  'report.ofIdeal.what':
    'Halaman relevan yang diambil, dibagi jumlah terbanyak yang mungkin didapat dengan pengambilan sebanyak itu. Tinggi rata-rata kurva sampai 20% adalah nAUC20.',
  'report.relevantHosts.title': 'Host dengan halaman relevan',
  'report.relevantHosts.axis': 'host',
  'report.relevantHosts.what':
    'Host yang sedikitnya satu halaman relevannya sudah diambil: keluasan pada topik, sebab laju panen saja juga menghargai perayap yang menetap di satu situs.',
  'report.pagerankSum.title': 'PageRank yang terkumpul',
  'report.pagerankSum.axis': 'dari PageRank semua halaman terjangkau, %',
  'report.pagerankSum.what':
    'PageRank sebenarnya, dihitung pada seluruh graf, dari halaman yang sudah diambil.',
  'report.stPagerank.title': 'Halaman penting yang ditemukan (P_ST)',
  'report.stPagerank.axis': 'halaman penting yang diambil, %',
  'report.stPagerank.what':
    'Berapa banyak halaman penting yang sudah diambil; penting berarti 1% teratas menurut PageRank sebenarnya (crawl and stop dengan ambang, menurut Cho, Garcia-Molina, dan Page).',
  'report.jain.title': 'Pemerataan antarsitus',
  'report.jain.axis': 'indeks Jain',
  'report.jain.what':
    'Seberapa merata pengambilan sejauh ini tersebar pada semua situs yang terjangkau: 1 berarti sama banyak dari tiap situs, mendekati 0 berarti semuanya dari satu situs.',
  'report.overHours': '{title} menurut waktu',
  'report.overHoursNote':
    'Lingkaran menandai kapan anggaran sebuah urutan habis, rata-rata semua topik; sesudah itu garisnya mendatar.',
  'report.leadTitle': '{lead} tiap urutan',
  'report.leadWhat': 'Batang: rata-rata semua topik. Tiap lingkaran adalah satu topik.',
  'report.leadAt': '{name} pada {share}',
  'report.naucWhat':
    'nAUC20 adalah rata-rata, pada 20% pengambilan pertama, dari halaman relevan yang diambil dibagi jumlah terbanyak yang mungkin; 100 berarti sempurna.',
  'report.byTopic': '{title}, per topik',
  'report.byTopicWhat':
    'Warna dan putus-putus seperti di atas; tiga yang terbaik digambar lebih tebal.',
  'report.axes': '↑ {y}; → {x}.',
  'report.relevantPages': '{n} relevan',
  'report.winsTitle': 'Siapa mengungguli siapa',
  'report.winsWhat':
    'Pada berapa dari {n} topik urutan pada baris mencapai {lead} lebih tinggi daripada urutan pada kolom. Topik lebih banyak berbeda daripada urutan, maka perbandingan inilah yang adil.',
  'report.winsHead': 'mengungguli',
  'report.tables.relevance': 'Relevansi',
  'report.tables.importance': 'Kepentingan',
  'report.tables.spread': 'Pemerataan antarsitus',
  'report.tablesWhat':
    'Rata-rata semua topik, dalam persen bila tidak disebut lain; yang terbaik di tiap kolom dicetak tebal.',
  'report.hosts': 'Host',
  'report.entropy': 'Entropi',
  'report.verdict': '{best} menempati urutan pertama: {lead} {value}.',
  'report.beats':
    'Ia mengungguli {other} pada {wins} dari {topics} topik, dengan selisih rata-rata {difference} poin.',
  'report.web': 'Web',
  'report.size': 'Ukuran',
  'report.reachable': '{pages} halaman terjangkau, {hosts} host, {sites} situs',
  'report.topics': 'Topik',
  'report.budget': 'Anggaran',
  'report.budgetShare': '{share} dari halaman terjangkau',
  'report.seeds': 'Benih acak',
  'report.politeness': 'Kesantunan',
  'report.noDelay': 'tanpa jeda',
  'report.delay': '{ms} ms antara permintaan ke satu host (waktu virtual)',
  'report.madeBy': 'Dibuat oleh',
  'report.judge.truth':
    'Dinilai menurut kebenaran yang diketahui; halaman contoh tidak dihitung dalam relevansi.',
  'report.judge.crawl':
    'Yang relevan adalah yang disebut panas oleh perayapan itu sendiri; tidak ada orang yang ditanya. Halaman contoh tidak dihitung.',
  'report.judge.topic':
    'Dinilai sendiri: yang relevan adalah yang disebut panas oleh topik itu, jadi urutan terfokus dinilai oleh pemandunya sendiri. Halaman contoh tidak dihitung.',
  'report.judge.nobody': 'Relevansi tidak dinilai.',
  'report.oneTopic': 'Satu topik',
  'report.meanOf': 'Rata-rata {n} topik',
  'report.setting':
    '{mean}; benih acak: {seeds}. Web: {web}, {pages} halaman terjangkau pada {hosts} host; anggaran {budget} darinya; {delay}. {judge}',
}
