// Options and orderings in Indonesian.

export type Words = { readonly label: string; readonly help: string }

const words = (label: string, help: string): Words => ({ label, help })

export const ID_OPTIONS: ReadonlyMap<string, Words> = new Map([
  ['duration', words('Durasi (detik)', 'Berhenti setelah waktu ini.')],
  [
    'include',
    words('Hanya yang cocok', 'Hanya URL yang cocok, misalnya "/blog/**" atau "*.example.com".'),
  ],
  [
    'exclude',
    words(
      'Kecuali yang cocok',
      'Tidak ada URL yang cocok dengan ini; mengalahkan "Hanya yang cocok".',
    ),
  ],
  [
    'trap_budget',
    words(
      'Batas jebakan',
      'Jumlah halaman dari satu pola alamat sebuah host yang tidak menunjukkan hal baru; 0: tanpa batas.',
    ),
  ],
  ['max_requests', words('Permintaan terbanyak', 'Jumlah permintaan seluruh perayapan.')],
  [
    'host_budget',
    words(
      'Jatah host',
      'Biaya satu host: permintaan (requests), bita (bytes), detik penguraian (cpu), permintaan berturut-turut tanpa halaman baru (barren) atau yang dilarang (forbidden); 0: tanpa batas.',
    ),
  ],
  [
    'domain_budget',
    words('Jatah domain', 'Hal yang sama untuk semua host satu domain bersama-sama.'),
  ],
  [
    'strip_params',
    words(
      'Parameter yang dibuang',
      'Parameter URL yang tidak dihitung: nama, atau tracking dan session untuk yang dikenal; none: tidak ada.',
    ),
  ],
  [
    'follow_actions',
    words(
      'Ikuti tautan tindakan',
      'Juga tautan yang melakukan sesuatu, seperti /logout dan /delete?id=1.',
    ),
  ],
  ['delay', words('Jeda (ms)', 'Jarak waktu antara dua permintaan ke satu host.')],
  [
    'concurrency',
    words('Permintaan serentak', 'Jumlah permintaan yang berjalan bersamaan ke semua host.'),
  ],
  [
    'per_host',
    words('Serentak per host', 'Jumlah permintaan yang berjalan bersamaan ke satu host.'),
  ],
  [
    'per_ip',
    words(
      'Serentak per alamat IP',
      'Jumlah permintaan bersamaan ke satu alamat, untuk semua host di sana; dihitung per proses.',
    ),
  ],
  [
    'contact',
    words('Kontak', 'Siapa yang dapat dihubungi pemilik situs; menjadi bagian dari user agent.'),
  ],
  ['user_agent', words('User agent', 'Nama kita di mata server.')],
  [
    'ignore_robots',
    words('Abaikan robots.txt', 'robots.txt tidak ditanyakan; hanya untuk situs Anda sendiri.'),
  ],
  ['sitemaps', words('Sitemap', 'Membaca sitemap.')],
  [
    'max_sitemaps',
    words('Sitemap per host', 'Paling banyak sekian berkas sitemap dibaca dari satu host.'),
  ],
  [
    'host_policy',
    words(
      'Giliran host',
      'Host mana lebih dulu: yang paling sedikit dilayani, yang antreannya terpanjang, atau yang URL terdepannya terbaik.',
    ),
  ],
  ['buffer', words('Penyangga', 'Antrean hanya menyimpan N URL terbaik.')],
  ['timeout', words('Batas waktu (ms)', 'Batas satu permintaan, dari awal sampai bita terakhir.')],
  [
    'max_crawl_delay',
    words(
      'Crawl-delay terpanjang (detik)',
      'Host yang robots.txt-nya meminta jeda lebih lama tidak dikunjungi.',
    ),
  ],
  [
    'host_patience',
    words(
      'Kesabaran terhadap host (detik)',
      'Bila tidak ada lagi yang lain, selama ini host yang pernah menjawab dan kini mati ditunggu.',
    ),
  ],
  ['retries', words('Percobaan ulang', 'Percobaan berikutnya untuk URL yang gagal sementara.')],
  [
    'max_body',
    words(
      'Ukuran isi terbesar',
      'Isi yang lebih panjang dipotong di sini, dan halamannya ditandai terpotong.',
    ),
  ],
  [
    'max_links_body',
    words(
      'Ukuran isi untuk tautan',
      'Dari isi yang lebih panjang, hanya tautannya yang dibaca, sampai di sini.',
    ),
  ],
  [
    'proxy',
    words('Proksi', 'http(s)://[pengguna:sandi@]host:port; bila beberapa, dipakai bergantian.'),
  ],
  [
    'connect_to',
    words('Sambungkan ke', 'Host yang cocok dicapai di alamat lain: POLA=ALAMAT:PORT.'),
  ],
  [
    'dns',
    words(
      'Server DNS',
      'Server nama yang ditanya sebagai ganti milik sistem: ALAMAT atau ALAMAT:PORT.',
    ),
  ],
  [
    'allow_private',
    words('Izinkan alamat privat', 'Juga alamat privat, loopback, dan link-local.'),
  ],
  ['http2', words('HTTP/2', 'Memakai HTTP/2 bila server mendukungnya.')],
  [
    'insecure_tls',
    words('TLS tanpa verifikasi', 'Menerima sertifikat yang tidak dapat diverifikasi.'),
  ],
  [
    'parts',
    words(
      'Bagian halaman',
      'Yang disimpan selain teksnya: links, images, tables, forms, lists, scripts, styles, all, atau none.',
    ),
  ],
  ['keep_html', words('Simpan HTML', 'HTML halaman juga disimpan.')],
  ['parser_threads', words('Thread pengurai', 'Jumlah thread yang mengurai halaman.')],
  [
    'examples',
    words(
      'Contoh',
      'Halaman yang sesuai dan tidak sesuai topik, sebagai URL atau teks: satu per baris ("- " di depan yang tidak sesuai), atau JSON.',
    ),
  ],
  ['classifier', words('Model', 'Model yang dibuat dengan jelajah train.')],
  [
    'stop_words',
    words(
      'Kata umum',
      'Kata yang tidak mengatakan apa pun tentang topik, selain yang dikenal dalam bahasa Inggris dan Indonesia: satu per baris.',
    ),
  ],
  [
    'language',
    words(
      'Bahasa',
      'Halaman dalam bahasa lain tidak disimpan, misalnya id atau id,en; tautannya tetap diikuti. Bila hanya satu, kata-kata topik dibaca dalam bahasa itu.',
    ),
  ],
  [
    'min_relevance',
    words(
      'Relevansi terendah',
      'Halaman yang kurang relevan (0 sampai 1) tidak disimpan; tautannya tetap dihitung.',
    ),
  ],
  ['min_terms', words('Jumlah kata terendah', 'Halaman dengan kata lebih sedikit tidak disimpan.')],
  [
    'hot_threshold',
    words(
      'Ambang halaman unggul',
      'Halaman disebut unggul bila relevansinya (atau arti pentingnya, bila dipilih) sedikitnya sebesar ini.',
    ),
  ],
  ['max_hot', words('Halaman unggul terbanyak', 'Berhenti setelah sekian halaman unggul.')],
  [
    'harvest_floor',
    words(
      'Panen terendah (%)',
      'Berhenti bila bagian halaman unggul di antara yang terakhir lebih kecil dari ini.',
    ),
  ],
  ['harvest_window', words('Jendela panen', 'Berapa halaman yang dihitung sebagai yang terakhir.')],
  [
    'eager',
    words(
      'Tanpa menunggu',
      'Tidak menunggu URL yang lebih baik: lebih cepat, panennya lebih rendah.',
    ),
  ],
  [
    'importance',
    words(
      'Arti penting',
      'Yang membuat halaman penting: similarity, backlinks, pagerank, location; dihitung di akhir perayapan.',
    ),
  ],
])

export const ID_ORDERINGS: ReadonlyMap<string, string> = new Map([
  ['breadth-first', 'Yang paling dekat dari titik awal lebih dulu.'],
  ['depth-first', 'Tautan dari halaman terbaru lebih dulu.'],
  ['backlink-count', 'Yang paling banyak ditautkan lebih dulu.'],
  ['pagerank', 'PageRank tertinggi dalam graf yang sudah diketahui lebih dulu.'],
  [
    'opic',
    'Arti penting terbesar yang dihitung sambil jalan: halaman membagi kasnya kepada tautannya.',
  ],
  ['location', 'Halaman depan dan alamat pendek lebih dulu.'],
  ['hot-queue', 'Tautan dengan kata kunci, atau di dekat halaman tentangnya, sebelum yang lain.'],
  ['best-first', 'Tautan dari halaman yang paling dekat dengan topik lebih dulu.'],
  ['fish-search', 'Tautan dari halaman relevan lebih dulu, yang lain selama tenaganya masih ada.'],
  [
    'shark-search',
    'Yang paling menjanjikan menurut halaman, jangkar, dan kata di sekitarnya lebih dulu.',
  ],
  ['naive-bayes', 'Tautan dari halaman yang paling mungkin sesuai topik lebih dulu.'],
  ['link-context', 'Halaman, jangkar, kata di sekitarnya, dan alamat yang terbaik lebih dulu.'],
  [
    'adaptive',
    'Halaman terbaik yang diharapkan, menurut kata tautannya dan hasil tautan serupa sejauh ini.',
  ],
])

/** By ordering and option. */
export const ID_ORDERING_OPTIONS: ReadonlyMap<string, string> = new Map([
  ['pagerank damping', 'Seberapa mungkin pembaca mengikuti tautan alih-alih pergi ke mana saja.'],
  ['pagerank every', 'Sedikitnya sekian halaman di antara dua penghitungan semua peringkat.'],
  ['pagerank growth', 'Seberapa besar perayapan harus tumbuh di antara dua penghitungan.'],
  [
    'pagerank tolerance',
    'Penghitungan selesai bila peringkat, yang jumlahnya 1, berubah kurang dari ini.',
  ],
  [
    'opic virtual',
    'Bagian kas sebuah halaman yang diberikan kepada semua URL yang menunggu, bukan kepada tautannya.',
  ],
  [
    'opic recycled',
    'Bagian kas untuk halaman yang sudah diambil yang diberikan kepada semua URL yang menunggu.',
  ],
  [
    'location distance',
    'Pengurang lokasi (0 sampai 1) untuk setiap tautan menjauh dari titik awal.',
  ],
  [
    'hot-queue within',
    'Sampai berapa tautan dari halaman unggul sebuah URL dianggap unggul; 0: hanya menurut katanya sendiri.',
  ],
  [
    'hot-queue times',
    'Berapa kata kunci dalam teks yang membuat halaman unggul; satu di judulnya pun cukup.',
  ],
  [
    'hot-queue order',
    'Urutan tiap antrean: 0 yang datang lebih dulu, 1 yang terdekat dengan halaman unggul, 2 yang paling banyak ditautkan.',
  ],
  [
    'fish-search depth',
    'Setelah sekian halaman di luar topik berturut-turut, tautan pindah ke ujung daftar.',
  ],
  ['fish-search width', 'Jumlah tautan satu halaman yang didahulukan.'],
  ['fish-search favour', 'Kelipatan jumlah tautan untuk halaman yang relevan.'],
  ['fish-search discard', '1: yang akan pindah ke ujung tanpa tenaga tidak diambil sama sekali.'],
  ['shark-search delta', 'Seberapa besar kemiripan halaman diwarisi tautannya.'],
  ['shark-search beta', 'Bobot jangkar dibandingkan kata di sekitarnya.'],
  ['shark-search gamma', 'Bobot yang diwarisi dibandingkan jangkar dan konteksnya.'],
  [
    'shark-search threshold',
    'Kemiripan yang membuat halaman atau jangkar dianggap membahas topik.',
  ],
  ['naive-bayes hard', '1: tautan dari halaman di luar topik tidak diikuti sama sekali.'],
  ['adaptive keyword', 'Bobot awal kata kunci dalam jangkar atau alamat.'],
  ['adaptive parents', 'Bobot awal nilai semua halaman yang menautkan ke sana.'],
  [
    'adaptive place',
    'Bobot awal hasil yang ditemukan di host, direktori, dan subdirektori, masing-masing.',
  ],
  ['adaptive hub', 'Bobot awal hasil yang didapat lewat halaman yang paling mendukung tautan.'],
  ['adaptive prior', 'Seberapa banyak yang harus dilihat di suatu tempat sebelum diperhitungkan.'],
  ['adaptive freedom', 'Seberapa jauh bobot boleh bergeser dari awalnya; 0: bobot tetap.'],
  [
    'adaptive gateway',
    'Bobot kejutan di tempat lain yang didapat lewat sebuah host; 0: halaman lemah bukan jalan lanjut.',
  ],
  [
    'adaptive step',
    'Selisih harapan yang diperhitungkan; bila sama, URL yang ditemukan lebih dulu; 0: semua selisih.',
  ],
  ['link-context anchor', 'Bobot kata-kata tautan itu sendiri; halamannya berbobot 1.'],
  ['link-context context', 'Bobot kata-kata di sekitar tautan.'],
  ['link-context address', 'Bobot kata-kata dalam URL.'],
  ['adaptive anchor', 'Bobot kata-kata tautan itu sendiri; halamannya berbobot 1.'],
  ['adaptive context', 'Bobot kata-kata di sekitar tautan.'],
  ['adaptive address', 'Bobot kata-kata dalam URL.'],
])
