import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [('corpus', '0001_initial'), ('corpus', '0004_remove_what_went'), ('corpus', '0005_the_bin')]

    dependencies = [
        ('jobs', '0001_initial'),
        ('projects', '0001_squashed_0003_delete_installationsettings'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Cluster',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=200)),
                ('held_out', models.BooleanField(default=False)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='clusters', to='projects.project')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('project', 'key'), name='cluster_unique')],
            },
        ),
        migrations.CreateModel(
            name='CandidatePair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('content_key', models.UUIDField(help_text='Hash of the two lower-cased token sequences, in either order')),
                ('edit_distance', models.PositiveIntegerField(help_text='Word edit distance (Levenshtein) of the sentences in lower case.')),
                ('length_a', models.PositiveIntegerField(help_text='How many words the sentence has.')),
                ('length_b', models.PositiveIntegerField(help_text='How many words the sentence has.')),
                ('shared_words', models.PositiveIntegerField(help_text='How many distinct words of 4 or more characters both sentences have.')),
                ('position_a', models.PositiveIntegerField(help_text='Index of the sentence in its article, from 0')),
                ('position_b', models.PositiveIntegerField()),
                ('project', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='pairs', to='projects.project')),
                ('cluster', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, related_name='pairs', to='corpus.cluster')),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['project', 'edit_distance'], name='pair_by_distance')],
            },
        ),
        migrations.CreateModel(
            name='CorpusImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('archived_at', models.DateTimeField(editable=False, null=True)),
                ('deleted_at', models.DateTimeField(editable=False, null=True)),
                ('state', models.CharField(choices=[('checking', 'Being checked'), ('checked', 'Checked; nothing is written yet'), ('refused', 'Refused; nothing was written'), ('storing', 'Being stored'), ('imported', 'Imported'), ('unchanged', 'Nothing new in it')], default='imported', max_length=10)),
                ('filename', models.CharField(max_length=255)),
                ('sha256', models.CharField(max_length=64)),
                ('options', models.JSONField(default=dict, help_text='How the file is read: format, encoding, columns')),
                ('counts', models.JSONField(default=dict)),
                ('notes', models.JSONField(default=list)),
                ('problems', models.JSONField(default=list, help_text='Why the file was refused, in words.')),
                ('sample', models.JSONField(default=list, help_text='The first articles, as they were cut')),
                ('signature', models.TextField(help_text='Methods of segmentation and tokenisation that were used.')),
                ('token', models.CharField(blank=True, help_text='Names its files in the uploads folder', max_length=32)),
                ('imported_at', models.DateTimeField(auto_now_add=True)),
                ('imported_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('job', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='corpus_import', to='jobs.job')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='imports', to='projects.project')),
                ('staging', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='projects.project')),
                ('deleted_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['checking', 'checked', 'refused', 'storing', 'imported', 'unchanged'])), name='import_state'), models.CheckConstraint(condition=models.Q(('staging', None), ('state', 'storing'), _connector='OR'), name='import_staging_while_storing')],
            },
        ),
        migrations.AddField(
            model_name='cluster',
            name='pair_import',
            field=models.ForeignKey(blank=True, help_text='Import of the pair; empty for clusters of articles', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='pair_clusters', to='corpus.corpusimport'),
        ),
        migrations.CreateModel(
            name='Article',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=200)),
                ('source', models.CharField(blank=True, max_length=200)),
                ('url', models.CharField(blank=True, max_length=2000)),
                ('published', models.CharField(blank=True, help_text='When it was published, in ISO 8601, as imported; empty if unknown.', max_length=40)),
                ('title', models.CharField(blank=True, max_length=1000)),
                ('language', models.CharField(blank=True, help_text='BCP 47 tag of its text, where that is not the language of the project.', max_length=35)),
                ('content_sha256', models.CharField(max_length=64)),
                ('cluster', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='articles', to='corpus.cluster')),
                ('corpus_import', models.ForeignKey(help_text='Its import; unknown for articles imported before this was recorded', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='articles', to='corpus.corpusimport')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('cluster', 'key'), name='article_unique'), models.UniqueConstraint(fields=('cluster', 'content_sha256'), name='article_no_duplicates')],
            },
        ),
        migrations.CreateModel(
            name='Dataset',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('archived_at', models.DateTimeField(editable=False, null=True)),
                ('deleted_at', models.DateTimeField(editable=False, null=True)),
                ('name', models.CharField(max_length=80)),
                ('held_out', models.CharField(choices=[('all', 'All clusters'), ('only', 'Held-out clusters only'), ('rest', 'Clusters that are not held out')], default='all', max_length=4)),
                ('criteria', models.JSONField(blank=True, default=dict, help_text='Criteria that the pairs were selected by; empty for none.')),
                ('refinement', models.JSONField(blank=True, default=dict, help_text='Classifier, its SHA-256 and threshold, if one refined it; else empty.')),
                ('size', models.PositiveIntegerField()),
                ('signature', models.TextField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='datasets', to='projects.project')),
                ('refined_from', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='refined', to='corpus.dataset')),
                ('deleted_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('held_out__in', ['all', 'only', 'rest'])), name='dataset_held_out'), models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('project', 'name'), name='dataset_name')],
            },
        ),
        migrations.CreateModel(
            name='DatasetPair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('dataset', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='members', to='corpus.dataset')),
                ('pair', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='corpus.candidatepair')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('dataset', 'pair'), name='dataset_pair_once')],
            },
        ),
        migrations.CreateModel(
            name='Extraction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('archived_at', models.DateTimeField(editable=False, null=True)),
                ('deleted_at', models.DateTimeField(editable=False, null=True)),
                ('name', models.CharField(max_length=80)),
                ('preset', models.CharField(max_length=40)),
                ('criteria', models.JSONField()),
                ('signature', models.TextField()),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='extraction', to='jobs.job')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='extractions', to='projects.project')),
                ('deleted_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('project', 'name'), name='extraction_name')],
            },
        ),
        migrations.AddField(
            model_name='dataset',
            name='extractions',
            field=models.ManyToManyField(related_name='datasets', to='corpus.extraction'),
        ),
        migrations.CreateModel(
            name='Finding',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('score', models.FloatField(help_text='Score by the method, 0 to 1, such as an estimate', null=True)),
                ('jaccard', models.FloatField(help_text='Exact Jaccard of the words compared, 0 to 1', null=True)),
                ('extraction', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='findings', to='corpus.extraction')),
                ('pair', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, related_name='findings', to='corpus.candidatepair')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('extraction', 'pair'), name='finding_unique'), models.CheckConstraint(condition=models.Q(models.Q(('score__gte', 0), ('score__lte', 1)), ('score', None), _connector='OR'), name='finding_score'), models.CheckConstraint(condition=models.Q(models.Q(('jaccard__gte', 0), ('jaccard__lte', 1)), ('jaccard', None), _connector='OR'), name='finding_jaccard')],
            },
        ),
        migrations.CreateModel(
            name='KeptNumbers',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200)),
                ('numbers', models.JSONField()),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='kept_numbers', to='projects.project')),
            ],
            options={
                'verbose_name_plural': 'cached counts',
                'constraints': [models.UniqueConstraint(fields=('project', 'name'), name='kept_numbers_once')],
            },
        ),
        migrations.CreateModel(
            name='Lexicon',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('archived_at', models.DateTimeField(editable=False, null=True)),
                ('deleted_at', models.DateTimeField(editable=False, null=True)),
                ('kind', models.CharField(choices=[('association', 'Word association'), ('morphology', 'Morphological variants'), ('wordnet', 'WordNet synonyms and hypernyms')], max_length=11)),
                ('name', models.CharField(max_length=80)),
                ('version', models.PositiveIntegerField()),
                ('parameters', models.JSONField(default=dict)),
                ('size', models.PositiveIntegerField(default=0, help_text='How many word pairs it has.')),
                ('figures', models.JSONField(default=dict, help_text='Share of the word pairs that is in WordNet, by rank.')),
                ('signature', models.TextField(blank=True, help_text='Method, version and parameters that made it, as one line; empty until it is built.')),
                ('dataset', models.ForeignKey(help_text='Dataset of the pairs that it is learned from; null for all imported pairs.', null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='lexicons', to='corpus.dataset')),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='lexicon', to='jobs.job')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lexicons', to='projects.project')),
                ('deleted_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['association', 'morphology', 'wordnet'])), name='lexicon_kind'), models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('project', 'name', 'version'), name='lexicon_version')],
            },
        ),
        migrations.CreateModel(
            name='LexiconEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rank', models.PositiveIntegerField()),
                ('first', models.TextField()),
                ('second', models.TextField()),
                ('score', models.FloatField(help_text='Log-likelihood ratio; of other kinds as `together`')),
                ('together', models.PositiveIntegerField(help_text='Sentence pairs that have the words on opposite sides, identical words removed.')),
                ('linked', models.PositiveIntegerField(help_text='In how many of them the two words are linked (Moore 2001); null without a second pass.', null=True)),
                ('in_wordnet', models.BooleanField(help_text='Whether WordNet has the pair; null where WordNet is not installed.', null=True)),
                ('trivial', models.BooleanField(default=False, help_text='Whether the words differ in spelling or ending alone, or one is a number.')),
                ('lexicon', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='corpus.lexicon')),
            ],
            options={
                'ordering': ['rank'],
                'constraints': [models.UniqueConstraint(fields=('lexicon', 'rank'), name='lexicon_entry_rank'), models.UniqueConstraint(fields=('lexicon', 'first', 'second'), name='lexicon_entry_words')],
            },
        ),
        migrations.CreateModel(
            name='LexiconRating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('verdict', models.CharField(choices=[('good', 'Good'), ('bad', 'Bad'), ('phrase', 'Phrase')], max_length=6)),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='corpus.lexiconentry')),
                ('rater', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('entry', 'rater'), name='lexicon_rating_once'), models.CheckConstraint(condition=models.Q(('verdict__in', ['good', 'bad', 'phrase'])), name='lexicon_rating_verdict')],
            },
        ),
        migrations.CreateModel(
            name='ProjectPreset',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('base', models.CharField(max_length=40)),
                ('criteria', models.JSONField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='presets', to='projects.project')),
            ],
            options={
                'ordering': ['name'],
                'constraints': [models.UniqueConstraint(fields=('project', 'name'), name='preset_name')],
            },
        ),
        migrations.CreateModel(
            name='Sentence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='Place of the sentence in the article, from 0.')),
                ('paragraph', models.PositiveIntegerField(default=0)),
                ('text', models.TextField()),
                ('tokens', models.TextField()),
                ('starts', models.JSONField()),
                ('article', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sentences', to='corpus.article')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('article', 'number'), name='sentence_unique')],
            },
        ),
        migrations.AddField(
            model_name='candidatepair',
            name='sentence_a',
            field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='corpus.sentence'),
        ),
        migrations.AddField(
            model_name='candidatepair',
            name='sentence_b',
            field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='corpus.sentence'),
        ),
        migrations.AddIndex(
            model_name='cluster',
            index=models.Index(fields=['project', 'pair_import'], name='cluster_by_collection'),
        ),
        migrations.AddConstraint(
            model_name='cluster',
            constraint=models.CheckConstraint(condition=models.Q(('pair_import', None), ('held_out', False), _connector='OR'), name='cluster_imported_not_held_out'),
        ),
        migrations.AddConstraint(
            model_name='candidatepair',
            constraint=models.UniqueConstraint(fields=('project', 'sentence_a', 'sentence_b'), name='pair_unique'),
        ),
        migrations.AddConstraint(
            model_name='candidatepair',
            constraint=models.CheckConstraint(condition=models.Q(('sentence_a', models.F('sentence_b')), _negated=True), name='pair_two_sentences'),
        ),
    ]
